import type {Lock} from '../../declaration/lock.js'
import {CrossplaneError} from '../../errors.js'
import type {FormatName} from '../../locate/expect-format.js'
import {locateGiven} from '../../locate/locate-package.js'
import {locateImage} from '../../locate/locate-image.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import type {ExampleChoice} from '../../locate/source-folder.js'
import {formatFor, formatsInLock} from '../../package/formats.js'
import {present} from '../../present.js'
import {isDigest} from '../../reference/image-name.js'
import {isLocalPath, parsePackageImage} from '../../reference/package-reference.js'
import {type ActivationChoice, declaredChoice} from '../../usage/activation/activation.js'
import type {SurfacePackage} from '../../usage/compare-sets.js'
import type {KnownSpecs, PackageSurface, SurfaceOptions} from '../../usage/package-surface.js'
import {declaredNames} from '../../plan/declaration/declared-names.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {upgradedLock} from '../resolution/upgraded-lock.js'
import {lockRequest} from '../resolution/lock-request.js'
import {withContent} from '../request/input-files.js'
import {readLockFile, readRequest, type ReadRequest, type RequestPorts} from '../request/read-request.js'
import type {LockQuery, RequestQuery} from '../request/request-query.js'

/** A set of packages of a lock or a declaration. */
export type SetQuery =
  | {readonly kind: 'lock'; readonly lock: LockQuery}
  /** A lock that was read, or is planned, for a declaration. */
  | ({readonly kind: 'content'} & LockedSet)
  /** As the lock of a declaration has it, or as it would be selected if it has none. */
  | {readonly kind: 'declaration'; readonly request: RequestQuery}
  /** What an upgrade of packages of a declaration would select; of all without names. A name with a tag moves the pin. */
  | {readonly kind: 'upgrade'; readonly request: RequestQuery; readonly names?: readonly string[]}

/** A package of a set, whose content is read when it is needed. */
export interface SetPackage {
  readonly package: string
  readonly version: string
  readonly digest?: string
  /** Whether its content can change under its version, as in a folder. */
  readonly isUnversioned?: boolean
  readonly locate: (choices?: ExampleChoice) => Promise<LocatedPackage>
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

/** The packages of a set, dependencies included. */
export interface PackageSet {
  readonly packages: readonly SetPackage[]
  /** What its declaration activates; absent without one. */
  readonly activation?: ActivationChoice
  /** The version of Crossplane, if it is known. */
  readonly coreVersion?: string
  readonly formats: readonly FormatName[]
  /** Whether its declaration requests a CRD. */
  readonly hasCrd: boolean
}

/** Returns the packages of a set, dependencies included. Reads none of them where a lock has them. */
export async function packageSet(
  query: SetQuery,
  ports: RequestPorts,
  read = requestReader(ports),
): Promise<PackageSet> {
  const {lock, packages, declaration, policy} = await lockedSet(query, ports, read)
  const activation = declaration && declaredChoice(declaration.content, policy?.coreVersion)
  const coreVersion = policy?.coreVersion
  return {
    packages: lockedPackages(lock, packages),
    formats: formatsInLock(lock),
    hasCrd: declaration?.content.packages.some(({crd}) => crd !== undefined) === true,
    ...present({activation, coreVersion}),
  }
}

/** A lock with the sources of its packages, and the declaration that it is for, if there is one. */
interface LockedSet extends Pick<ReadRequest, 'packages' | 'declaration'> {
  readonly lock: Lock
  readonly policy?: ReadRequest['policy']
}

async function lockedSet(query: SetQuery, ports: RequestPorts, read: RequestReader): Promise<LockedSet> {
  if (query.kind === 'content') return query
  if (query.kind === 'lock') {
    const {lock} = (await readLockFile(query.lock, ports.inputs)) ?? {}
    if (lock === undefined) throw new RangeError('a lock is required')
    return {lock, packages: await ports.packages()}
  }
  const request = await read(query.request)
  const {packages, policy, declaration} = request
  const {lock: heldLock} = policy
  const own = {packages, policy, ...present({declaration})}
  if (query.kind === 'declaration') return {lock: heldLock?.lock ?? (await lockRequest(request)).lock, ...own}
  return {lock: await upgradedSet(query, request, heldLock, ports), ...own}
}

async function upgradedSet(
  {names = [], request: own}: Extract<SetQuery, {readonly kind: 'upgrade'}>,
  request: ReadRequest,
  heldLock: HeldLock | undefined,
  ports: RequestPorts,
): Promise<Lock> {
  if (heldLock === undefined) throw new RangeError('a lock is required')
  const upgraded = {...heldLock, upgraded: 'all', otherwise: 'take'} as const
  return names.length === 0 || own.kind !== 'declaration'
    ? (await lockRequest(request, upgraded)).lock
    : await lockOfNamed(names, own, upgraded, ports)
}

/** Resolves as `package upgrade` does: what else has to change also does so. */
async function lockOfNamed(
  names: readonly string[],
  {file, settings}: Extract<RequestQuery, {readonly kind: 'declaration'}>,
  heldLock: HeldLock,
  ports: RequestPorts,
): Promise<Lock> {
  const {name, bytes, isSplit} = await ports.inputs.read(file, '--declaration')
  const {defaultSource} = settings
  const declared = declaredNames({name, bytes}, {names, defaultSource, lock: heldLock.lock})
  const inputs = withContent(ports.inputs, file, declared.text, isSplit)
  return (await upgradedLock(heldLock, {names: declared, settings, file}, {...ports, inputs})).lock
}

function lockedPackages({packages, xpkgs = []}: Lock, ports: PackagePorts): readonly SetPackage[] {
  const all = [...xpkgs, ...packages.map(({identity, ...own}) => ({repository: identity, ...own}))]
  return all.map(({repository, tag, digest}) => ({
    package: repository,
    version: tag ?? digest ?? '',
    ...present({digest}),
    locate: async choices => {
      const options = {...ports, ...choices}
      if (isLocalPath(repository)) return await locateGiven({reference: repository}, options)
      const pinned = digest !== undefined && isDigest(digest) ? {digest} : {}
      return await locateImage({...parsePackageImage(repository), ...present({tag}), ...pinned}, options)
    },
  }))
}

/** Reads a package of a set; each digest once. */
export type SurfaceReader = (own: SetPackage) => Promise<PackageSurface>

/** Returns what reads packages of several sets. */
export function surfaceReader(
  {surfaces}: Pick<RequestPorts, 'surfaces'>,
  options?: Partial<Pick<SurfaceOptions, 'isDescribed' | 'hasCompositions'>>,
): SurfaceReader {
  const read = new Map<string, Promise<PackageSurface>>()
  const cache = surfaces?.()
  const specs: KnownSpecs = new Map()
  const surfaceOf = async ({locate}: SetPackage) => {
    const located = await locate()
    return await (await formatFor(located)).surface(located, {...options, cache: await cache, specs})
  }
  return own => {
    const {digest} = own
    if (digest === undefined) return surfaceOf(own)
    const surface = read.get(digest) ?? surfaceOf(own)
    read.set(digest, surface)
    return surface
  }
}

/** Returns the packages of a lock, as far as a source has all of them; undefined otherwise. */
export async function knownInLock(
  file: string,
  ports: RequestPorts,
): Promise<readonly SurfacePackage[] | undefined> {
  try {
    const lock = {file, otherwise: 'note', isOptional: false, isTrusted: true, remedy: ''} as const
    const {packages} = await packageSet({kind: 'lock', lock}, ports)
    return await readSurfaces(packages, surfaceReader(ports))
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
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
