import type {Lock} from '../declaration/lock.js'
import {CrossplaneError} from '../errors.js'
import {locateGiven} from '../locate/locate-package.js'
import {locateImage} from '../locate/locate-image.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import {formatFor} from '../package/formats.js'
import {present} from '../present.js'
import {compareText} from '../reference/compare-text.js'
import {isDigest} from '../reference/image-name.js'
import {isLocalPath, parsePackageImage} from '../reference/package-reference.js'
import {repositoryName} from '../reference/repository-name.js'
import type {Change, Severity} from '../usage/change.js'
import {count} from '../text.js'
import {compareSets, type SetComparison, type SurfacePackage} from '../usage/compare-sets.js'
import type {PackageSurface} from '../usage/package-surface.js'
import {lockRequest} from './lock-request.js'
import {readLockFile, readRequest, type ReadRequest, type RequestPorts} from './request/read-request.js'
import type {LockQuery, RequestQuery} from './request/request-query.js'

/** A side of a comparison: one package, or a set of packages. */
export type SideQuery =
  | {readonly kind: 'package'; readonly reference: string}
  | {readonly kind: 'lock'; readonly lock: LockQuery}
  /** As the lock of a declaration has it, or as it would be selected if it has none. */
  | {readonly kind: 'declaration'; readonly request: RequestQuery}
  /** What an upgrade of all packages of a declaration would select. */
  | {readonly kind: 'upgrade'; readonly request: RequestQuery}

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
  const sides = paired(await sideOf(before, ports), await sideOf(after, ports))
  const [old = [], now = []] = sides
  const reader = surfaceReader()
  const [former, next] = [await readAll(without(old, now), reader), await readAll(without(now, old), reader)]
  const {changes, unread} = compareSets(former, next)
  return {
    packages: comparedPackages(former, next),
    unchanged: old.length - former.length,
    totals: totalsOf(changes),
    changes,
    unread,
  }
}

/** A package of a side, which is read only if it differs. */
interface SidePackage {
  readonly package: string
  readonly version: string
  readonly digest?: string
  /** Whether its content can change under its version, as in a folder. */
  readonly isUnversioned?: boolean
  readonly locate: () => Promise<LocatedPackage>
}

function without(side: readonly SidePackage[], other: readonly SidePackage[]): readonly SidePackage[] {
  const others = new Set(other.flatMap(keyOf))
  return side.filter(own => !keyOf(own).some(key => others.has(key)))
}

function keyOf({package: name, version, digest, isUnversioned}: SidePackage): readonly string[] {
  if (digest !== undefined) return [`${name} ${digest}`]
  return isUnversioned === true ? [] : [`${name} ${version}`]
}

interface ReadSide {
  readonly packages: readonly SidePackage[]
  readonly isOne: boolean
}

/** One package compared with one other is the same package in two versions, also if its repository differs. */
function paired(before: ReadSide, after: ReadSide): readonly (readonly SidePackage[])[] {
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

async function sideOf(query: SideQuery, ports: RequestPorts): Promise<ReadSide> {
  if (query.kind === 'package') {
    const packages = await ports.packages()
    return {packages: [givenPackage(await locateGiven(query, packages), packages)], isOne: true}
  }
  const {lock, packages} = await lockedSide(query, ports)
  return {packages: lockedPackages(lock, packages), isOne: false}
}

function givenPackage(located: LocatedPackage, {defaultSource}: PackagePorts): SidePackage {
  const {reference, name, tag, digest} = located
  return {
    package: reference === undefined ? name : repositoryName(reference, defaultSource),
    version: tag ?? reference?.tag ?? digest ?? '',
    isUnversioned: true,
    ...present({digest}),
    locate: () => Promise.resolve(located),
  }
}

interface LockedSide extends Pick<ReadRequest, 'packages'> {
  readonly lock: Lock
}

async function lockedSide(
  query: Exclude<SideQuery, {readonly kind: 'package'}>,
  ports: RequestPorts,
): Promise<LockedSide> {
  if (query.kind === 'lock') {
    const {lock} = (await readLockFile(query.lock, ports.inputs)) ?? {}
    if (lock === undefined) throw new RangeError('a lock is required')
    return {lock, packages: await ports.packages()}
  }
  const request = await readRequest(query.request, ports)
  const {packages, policy} = request
  const {lock: heldLock} = policy
  if (query.kind === 'declaration')
    return {lock: heldLock?.lock ?? (await lockRequest(request)).lock, packages}
  if (heldLock === undefined) throw new RangeError('a lock is required')
  const upgraded = {...heldLock, upgraded: 'all', otherwise: 'take'} as const
  return {lock: (await lockRequest(request, upgraded)).lock, packages}
}

function lockedPackages({packages, xpkgs = []}: Lock, ports: PackagePorts): readonly SidePackage[] {
  const all = [...xpkgs, ...packages.map(({identity, ...own}) => ({repository: identity, ...own}))]
  return all.map(({repository, tag, digest}) => ({
    package: repository,
    version: tag ?? digest ?? '',
    ...present({digest}),
    locate: async () => {
      if (isLocalPath(repository)) return await locateGiven({reference: repository}, ports)
      const pinned = digest !== undefined && isDigest(digest) ? {digest} : {}
      return await locateImage({...parsePackageImage(repository), ...present({tag}), ...pinned}, ports)
    },
  }))
}

type Reader = (own: SidePackage) => Promise<PackageSurface>

/** Reads each digest once. */
function surfaceReader(): Reader {
  const read = new Map<string, Promise<PackageSurface>>()
  const surfaceOf = async ({locate}: SidePackage) => {
    const located = await locate()
    return await (await formatFor(located)).surface(located)
  }
  return own => {
    const {digest} = own
    if (digest === undefined) return surfaceOf(own)
    const surface = read.get(digest) ?? surfaceOf(own)
    read.set(digest, surface)
    return surface
  }
}

/** One after the other: a large package has a thousand CRDs. */
async function readAll(packages: readonly SidePackage[], read: Reader): Promise<readonly SurfacePackage[]> {
  const surfaces: SurfacePackage[] = []
  for (const own of packages)
    surfaces.push({package: own.package, version: own.version, surface: await read(own)})
  return surfaces
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
