import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {formatOf} from '../../locate/expect-format.js'
import {locateGiven} from '../../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {expectApplicable} from '../../package/expect-applicable.js'
import {present} from '../../present.js'
import {compareText} from '../../reference/compare-text.js'
import {repositoryName} from '../../reference/repository-name.js'
import {activatedSet} from '../../usage/activation/activation.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import {
  type PackageSet,
  packageSet,
  readSurfaces,
  type RequestReader,
  requestReader,
  type SetPackage,
  type SetQuery,
  surfaceReader,
} from './package-set.js'
import type {RequestPorts} from '../request/read-request.js'

/** A side of a comparison: one package, or a set of packages. */
export type SideQuery = {readonly kind: 'package'; readonly reference: string} | SetQuery

/** What two sets of packages have of a package that is not the same in both. */
interface ComparedPackage {
  readonly package: string
  /** The tag, or the digest of a package without one; absent if the set does not have the package. */
  readonly before?: string
  readonly after?: string
}

/** Two sets of packages, and what users depend on of them. */
export interface ComparedSets {
  /** The packages that are not the same on both sides. */
  readonly packages: readonly ComparedPackage[]
  /** The number of packages that are the same on both sides. */
  readonly unchanged: number
  readonly before: readonly SurfacePackage[]
  readonly after: readonly SurfacePackage[]
}

/** What a command line compares. */
export interface ComparedSides {
  readonly before: SideQuery
  readonly after: SideQuery
  /** The names of its flags, if only both sides together show whether one has an effect. */
  readonly flagNames?: ReadonlySet<string>
}

/**
 * Reads what users depend on of two sets of packages. Of `changed`, packages that are the same on both sides are not read. Throws
 * `usage` for flags that the packages of no side have.
 * @param policies - those of users, which activate kinds of all.
 */
export async function readSets(
  {before, after, flagNames = new Set()}: ComparedSides,
  ports: RequestPorts,
  read: 'changed' | {readonly policies: readonly KubernetesObject[]},
): Promise<ComparedSets> {
  const reading = requestReader(ports)
  const [one, other] = activatedAlike(
    await sideOf(before, ports, reading),
    await sideOf(after, ports, reading),
  )
  const hasCrd = one.hasCrd || other.hasCrd
  expectApplicable([...one.formats, ...other.formats], flagNames, hasCrd ? [] : ['owner'])
  const [old = [], now = []] = paired(one, other)
  const [lost, gained] = [without(old, now), without(now, old)]
  const reader = surfaceReader(ports, {hasCompositions: read !== 'changed'})
  const surfacesOf = async (all: readonly SetPackage[], changed: readonly SetPackage[], side: ReadSide) =>
    read === 'changed'
      ? await readSurfaces(changed, reader)
      : activated(await readSurfaces(all, reader), side, read.policies)
  return {
    packages: comparedPackages(lost, gained),
    unchanged: old.length - lost.length,
    before: await surfacesOf(old, lost, one),
    after: await surfacesOf(now, gained, other),
  }
}

/** A lock has no declaration: beside one that has, it is as that one activates. */
function activatedAlike(one: ReadSide, other: ReadSide): readonly [ReadSide, ReadSide] {
  const activation = other.activation ?? one.activation
  const asDeclared = (side: ReadSide) => (side.isOne ? side : {...present({activation}), ...side})
  return [asDeclared(one), asDeclared(other)]
}

/** Policies of packages that are the same on both sides also decide. Without a declaration, kinds are as the packages have them. */
function activated(
  packages: readonly SurfacePackage[],
  {activation}: Pick<PackageSet, 'activation'>,
  others: readonly KubernetesObject[],
): readonly SurfacePackage[] {
  return activation === undefined ? packages : activatedSet(packages, {...activation, others})
}

function without(side: readonly SetPackage[], other: readonly SetPackage[]): readonly SetPackage[] {
  const others = new Set(other.flatMap(keyOf))
  return side.filter(own => !keyOf(own).some(key => others.has(key)))
}

function keyOf({package: name, version, digest, isUnversioned}: SetPackage): readonly string[] {
  if (digest !== undefined) return [`${name} ${digest}`]
  return isUnversioned === true ? [] : [`${name} ${version}`]
}

interface ReadSide extends PackageSet {
  readonly isOne: boolean
}

/** One package compared with one other is the same package in two versions, also if its repository differs. */
function paired(before: ReadSide, after: ReadSide): readonly (readonly SetPackage[])[] {
  const [one] = after.packages
  if (!before.isOne || !after.isOne || one === undefined) return [before.packages, after.packages]
  const renamed = before.packages.map(own =>
    own.package === one.package
      ? own
      : {
          ...own,
          package: one.package,
          version: [own.package, own.version].filter(text => text !== '').join(':'),
        },
  )
  return [renamed, after.packages]
}

async function sideOf(query: SideQuery, ports: RequestPorts, read: RequestReader): Promise<ReadSide> {
  if (query.kind === 'package') {
    const packages = await ports.packages()
    const located = await locateGiven(query, packages)
    const own = {formats: [formatOf(located)], hasCrd: false}
    return {packages: [givenPackage(located, packages)], isOne: true, ...own}
  }
  return {...(await packageSet(query, ports, read)), isOne: false}
}

function givenPackage(located: LocatedPackage, {defaultSource}: PackagePorts): SetPackage {
  const {reference, name, tag, digest} = located
  return {
    package: reference === undefined ? name : repositoryName(reference, defaultSource),
    version: tag ?? reference?.tag ?? digest ?? '',
    isUnversioned: true,
    ...present({digest}),
    locate: () => Promise.resolve(located),
  }
}

function comparedPackages(
  before: readonly SetPackage[],
  after: readonly SetPackage[],
): readonly ComparedPackage[] {
  const [old, now] = [before, after].map(
    side => new Map(side.map(({package: name, version}) => [name, version])),
  )
  const names = [...new Set([...before, ...after].map(own => own.package))]
  return names
    .sort(compareText)
    .map(name => ({package: name, ...present({before: old?.get(name), after: now?.get(name)})}))
}
