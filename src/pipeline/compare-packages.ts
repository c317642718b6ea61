import {CrossplaneError} from '../errors.js'
import {locateGiven} from '../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import {present} from '../present.js'
import {compareText} from '../reference/compare-text.js'
import {repositoryName} from '../reference/repository-name.js'
import type {Change, Severity} from '../usage/change.js'
import {count} from '../text.js'
import {compareSets, type SetComparison, type SurfacePackage} from '../usage/compare-sets.js'
import {
  packagesOfSet,
  readSurfaces,
  type RequestReader,
  requestReader,
  type SetPackage,
  type SetQuery,
  surfaceReader,
} from './package-set.js'
import type {RequestPorts} from './request/read-request.js'

/** A side of a comparison: one package, or a set of packages. */
export type SideQuery = {readonly kind: 'package'; readonly reference: string} | SetQuery

/** What two sets of packages have of a package that is not the same in both. */
interface ComparedPackage {
  readonly package: string
  /** The tag, or the digest of a package without one; absent if the set does not have the package. */
  readonly before?: string
  readonly after?: string
}

/** The differences between two sets of packages. */
export interface PackageComparison extends SetComparison {
  readonly packages: readonly ComparedPackage[]
  /** The number of packages that are the same in both. */
  readonly unchanged: number
  readonly totals: Readonly<Record<Severity, number>>
}

/** Compares what users depend on of two sets of packages; packages that are the same in both are not read. */
export async function comparePackages(
  before: SideQuery,
  after: SideQuery,
  ports: RequestPorts,
): Promise<PackageComparison> {
  const read = requestReader(ports)
  const sides = paired(await sideOf(before, ports, read), await sideOf(after, ports, read))
  const [old = [], now = []] = sides
  const reader = surfaceReader()
  const [former, next] = [
    await readSurfaces(without(old, now), reader),
    await readSurfaces(without(now, old), reader),
  ]
  const {changes, unread} = compareSets(former, next)
  return {
    packages: comparedPackages(former, next),
    unchanged: old.length - former.length,
    totals: totalsOf(changes),
    changes,
    unread,
  }
}

function without(side: readonly SetPackage[], other: readonly SetPackage[]): readonly SetPackage[] {
  const others = new Set(other.flatMap(keyOf))
  return side.filter(own => !keyOf(own).some(key => others.has(key)))
}

function keyOf({package: name, version, digest, isUnversioned}: SetPackage): readonly string[] {
  if (digest !== undefined) return [`${name} ${digest}`]
  return isUnversioned === true ? [] : [`${name} ${version}`]
}

interface ReadSide {
  readonly packages: readonly SetPackage[]
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
    return {packages: [givenPackage(await locateGiven(query, packages), packages)], isOne: true}
  }
  return {packages: await packagesOfSet(query, ports, read), isOne: false}
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
  before: readonly SurfacePackage[],
  after: readonly SurfacePackage[],
): readonly ComparedPackage[] {
  const [old, now] = [before, after].map(
    side => new Map(side.map(({package: name, version}) => [name, version])),
  )
  const names = [...new Set([...before, ...after].map(own => own.package))]
  return names
    .sort(compareText)
    .map(name => ({package: name, ...present({before: old?.get(name), after: now?.get(name)})}))
}

function totalsOf(changes: readonly Change[]): Readonly<Record<Severity, number>> {
  const totals = {breaking: 0, risky: 0, compatible: 0}
  for (const {severity} of changes) totals[severity] += 1
  return totals
}

/** Throws `package-invalid` if a schema could not be read: what it breaks is unknown. */
export function expectCompared({unread}: Pick<PackageComparison, 'unread'>): void {
  if (unread.length === 0) return
  throw new CrossplaneError('package-invalid', `cannot compare ${count(unread.length, 'CRD')}`, {
    diagnostics: unread.map(({package: name, name: crd, reason}) => ({
      severity: 'error',
      rule: 'crd-unread',
      message: `${crd} of ${name}: ${reason}`,
    })),
  })
}
