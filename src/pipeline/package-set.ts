import type {Lock} from '../declaration/lock.js'
import {locateGiven} from '../locate/locate-package.js'
import {locateImage} from '../locate/locate-image.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import {formatFor} from '../package/formats.js'
import {present} from '../present.js'
import {isDigest} from '../reference/image-name.js'
import {isLocalPath, parsePackageImage} from '../reference/package-reference.js'
import type {SurfacePackage} from '../usage/compare-sets.js'
import type {PackageSurface, SurfaceOptions} from '../usage/package-surface.js'
import {lockRequest} from './lock-request.js'
import {readLockFile, readRequest, type ReadRequest, type RequestPorts} from './request/read-request.js'
import type {LockQuery, RequestQuery} from './request/request-query.js'

/** A set of packages of a lock or a declaration. */
export type SetQuery =
  | {readonly kind: 'lock'; readonly lock: LockQuery}
  /** As the lock of a declaration has it, or as it would be selected if it has none. */
  | {readonly kind: 'declaration'; readonly request: RequestQuery}
  /** What an upgrade of all packages of a declaration would select. */
  | {readonly kind: 'upgrade'; readonly request: RequestQuery}

/** A package of a set, whose content is read when it is needed. */
export interface SetPackage {
  readonly package: string
  readonly version: string
  readonly digest?: string
  /** Whether its content can change under its version, as in a folder. */
  readonly isUnversioned?: boolean
  readonly locate: () => Promise<LocatedPackage>
}

/** Reads requests. */
export type RequestReader = (query: RequestQuery) => Promise<ReadRequest>

/** Returns what reads a request once, also if it is that of several sets: a lock and its upgrade have the same sources. */
export function requestReader(ports: RequestPorts): RequestReader {
  const requests = new Map<RequestQuery, Promise<ReadRequest>>()
  return query => {
    const request = requests.get(query) ?? readRequest(query, ports)
    requests.set(query, request)
    return request
  }
}

/** Returns the packages of a set, dependencies included. Reads none of them where a lock has them. */
export async function packagesOfSet(
  query: SetQuery,
  ports: RequestPorts,
  read = requestReader(ports),
): Promise<readonly SetPackage[]> {
  const {lock, packages} = await lockedSet(query, ports, read)
  return lockedPackages(lock, packages)
}

interface LockedSet extends Pick<ReadRequest, 'packages'> {
  readonly lock: Lock
}

async function lockedSet(query: SetQuery, ports: RequestPorts, read: RequestReader): Promise<LockedSet> {
  if (query.kind === 'lock') {
    const {lock} = (await readLockFile(query.lock, ports.inputs)) ?? {}
    if (lock === undefined) throw new RangeError('a lock is required')
    return {lock, packages: await ports.packages()}
  }
  const request = await read(query.request)
  const {packages, policy} = request
  const {lock: heldLock} = policy
  if (query.kind === 'declaration')
    return {lock: heldLock?.lock ?? (await lockRequest(request)).lock, packages}
  if (heldLock === undefined) throw new RangeError('a lock is required')
  const upgraded = {...heldLock, upgraded: 'all', otherwise: 'take'} as const
  return {lock: (await lockRequest(request, upgraded)).lock, packages}
}

function lockedPackages({packages, xpkgs = []}: Lock, ports: PackagePorts): readonly SetPackage[] {
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

/** Reads a package of a set; each digest once. */
export type SurfaceReader = (own: SetPackage) => Promise<PackageSurface>

/** Returns what reads packages of several sets. */
export function surfaceReader(options?: SurfaceOptions): SurfaceReader {
  const read = new Map<string, Promise<PackageSurface>>()
  const surfaceOf = async ({locate}: SetPackage) => {
    const located = await locate()
    return await (await formatFor(located)).surface(located, options)
  }
  return own => {
    const {digest} = own
    if (digest === undefined) return surfaceOf(own)
    const surface = read.get(digest) ?? surfaceOf(own)
    read.set(digest, surface)
    return surface
  }
}

/** Reads packages, one after the other: a large package has a thousand CRDs. */
export async function readSurfaces(
  packages: readonly SetPackage[],
  read: SurfaceReader,
): Promise<readonly SurfacePackage[]> {
  const surfaces: SurfacePackage[] = []
  for (const own of packages)
    surfaces.push({package: own.package, version: own.version, surface: await read(own)})
  return surfaces
}
