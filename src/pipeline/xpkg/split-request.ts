import {CrossplaneError} from '../../errors.js'
import {locatePackage} from '../../locate/locate-package.js'
import type {LocatedPackage, PackagePorts} from '../../locate/located-package.js'
import {expectSpelled} from '../../locate/near-names.js'
import {present} from '../../present.js'
import type {ImageName} from '../../reference/image-name.js'
import {newestStable} from '../../reference/newest-version.js'
import {type PackageReference, parsePackageImage} from '../../reference/package-reference.js'
import type {RequestedInstall} from '../../render/requested-install.js'
import {isAllowedSource} from '../../resolve/packages/source-policy.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import type {ReadRequest} from '../request/read-request.js'
import {identityOf, repositoryName} from '../../reference/repository-name.js'
import type {crdRoot} from './crd-root.js'
import type {RequestedXpkg} from './xpkg-closure.js'

/** A request, by the format of its packages. */
export interface SplitRequest {
  /** Those with a `.registry/`, and CRDs. */
  readonly stacks: readonly RequestedInstall[]
  /** Those for a current Crossplane, with the settings of each. */
  readonly xpkgs: readonly (RequestedXpkg & {readonly requested: RequestedInstall})[]
}

/**
 * Recognizes the packages of a request by their content, of which as little as possible is read: the lock, the folder
 * and the indexes before a registry.
 */
export async function splitRequest({requested, policy, packages}: ReadRequest): Promise<SplitRequest> {
  const {defaultSource} = policy
  const ports = {...packages, ...present({defaultSource: packages.defaultSource ?? defaultSource})}
  const roots = await Promise.all(
    requested.map(async install => ({install, root: await xpkgRoot(install, ports, policy)})),
  )
  return {
    stacks: roots.flatMap(({install, root}) => (root === undefined ? [install] : [])),
    xpkgs: roots.flatMap(({install, root}) => (root === undefined ? [] : [{...root, requested: install}])),
  }
}

/** Undefined for a package of the other format, and for one that cannot be read: resolving it reports why. */
async function xpkgRoot(
  install: RequestedInstall,
  ports: PackagePorts,
  policy: ReadRequest['policy'],
): Promise<RequestedXpkg | undefined> {
  const {target, range, asPackage} = install
  if (target.kind === 'crd') return await crdRootOf(target.crd, ports, policy)
  if (target.kind === 'image') {
    const isXpkg = await isXpkgImage(target.name, ports, policy)
    return isXpkg ? imageRoot(target.name, range, ports) : undefined
  }
  if (await isStackFolder(target, ports)) return undefined
  const name = asPackage === undefined ? undefined : parsePackageImage(asPackage)
  const read = await locatedOrNone(() =>
    locatePackage(target, {...ports, acceptsXpkg: true, ...present({asPackage: name})}),
  )
  if (read?.xpkg === undefined) return undefined
  // Loaded here: packages with .registry/ do not need it.
  const {rootOfRead} = await import('./root-of-read.js')
  return rootOfRead(read, ports)
}

/** Loaded here: packages with .registry/ do not need it. */
async function crdRootOf(...query: Parameters<typeof crdRoot>): ReturnType<typeof crdRoot> {
  return await (await import('./crd-root.js')).crdRoot(...query)
}

/** A folder is recognized without reading its files. */
async function isStackFolder({kind, path}: LocalReference, {sources}: PackagePorts): Promise<boolean> {
  if (kind !== 'directory') return false
  const directory = await sources.directory(path).catch(() => undefined)
  return directory !== undefined && (await directory.entry('.registry')).kind !== 'absent'
}

type LocalReference = Exclude<PackageReference, {readonly kind: 'image'}>

function imageRoot(
  name: ImageName,
  constraint: string | undefined,
  {defaultSource}: PackagePorts,
): RequestedXpkg {
  const {tag, digest} = name
  const repository = repositoryName(name, defaultSource)
  if (tag === undefined) return {repository, ...present({version: digest, constraint})}
  return {repository, version: tag, ...present({digest})}
}

async function isXpkgImage(
  name: ImageName,
  ports: PackagePorts,
  {lock, teams}: ReadRequest['policy'],
): Promise<boolean> {
  const locked = lock === undefined ? undefined : formatInLock(name, ports, lock)
  if (locked !== undefined) return locked
  const inFolder = await formatInFolder(name, ports)
  if (inFolder !== undefined) return inFolder
  const indexed = await formatInIndexes(name, ports)
  if (indexed !== undefined) return indexed
  // Resolving it reports it: the registry is not contacted.
  if (!isAllowedSource(repositoryName(name, ports.defaultSource), teams)) return false
  const read = await locatedOrNone(async () => {
    // A misspelled name must not reach a registry.
    await expectSpelled(name, ports)
    return await locatePackage({kind: 'image', name}, {...ports, acceptsXpkg: true})
  })
  return read?.xpkg !== undefined
}

/** A binding lock decides alone: no other source may be read. */
function formatInLock(
  name: ImageName,
  {defaultSource}: PackagePorts,
  {lock, otherwise}: HeldLock,
): boolean | undefined {
  const repository = repositoryName(name, defaultSource)
  if (lock.xpkgs?.some(xpkg => xpkg.repository === repository) === true) return true
  const identity = identityOf(name, defaultSource)
  const isLocked = lock.packages.some(locked => locked.identity === identity)
  return isLocked || otherwise === 'reject' ? false : undefined
}

/** Undefined if the folder does not have the version, or only its content shows its format. */
async function formatInFolder(name: ImageName, {folder}: PackagePorts): Promise<boolean | undefined> {
  if (name.digest !== undefined) return undefined
  const versions = (await folder?.versions(name.path)) ?? []
  const tag = name.tag ?? newestStable(versions.map(version => version.tag))
  const version = versions.find(other => other.tag === tag)
  if (version?.isXpkg === true) return true
  return version?.at.kind === 'directory' ? false : undefined
}

/** Undefined for a version that no index has. */
async function formatInIndexes(
  name: ImageName,
  {indexes, defaultSource}: PackagePorts,
): Promise<boolean | undefined> {
  const identity = identityOf(name, defaultSource)
  const founds = await Promise.all(((await indexes?.()) ?? []).map(index => index.ofPackage(identity)))
  const summaries = founds.flatMap(({summaries: own}) => own)
  const tag = name.tag ?? newestStable(summaries.map(summary => summary.tag))
  const entry = summaries.find(summary => summary.tag === tag)
  return entry === undefined ? undefined : entry.xpkg !== undefined
}

async function locatedOrNone(locate: () => Promise<LocatedPackage>): Promise<LocatedPackage | undefined> {
  try {
    return await locate()
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
