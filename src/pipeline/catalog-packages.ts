import {CrossplaneError} from '../errors.js'
import type {PackageSignatures} from '../inspect/package-signatures.js'
import {formatPlatform} from '../fetch/platform.js'
import {locateImage, placeInFolder} from '../locate/locate-image.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import type {PackagePlace} from '../locate/package-sources.js'
import type {Description} from '../package/description.js'
import {formatFor} from '../package/formats.js'
import {grouped} from '../grouped.js'
import {sha256Of} from '../plan/sha256.js'
import {present} from '../present.js'
import {compareText} from '../reference/compare-text.js'
import {isDigest} from '../reference/image-name.js'
import {compareVersions} from '../reference/newest-version.js'
import {parsePackageImage} from '../reference/package-reference.js'
import type {SurfaceCache} from '../usage/package-surface.js'
import {surfaceKey} from '../usage/surface-document.js'
import {indexedVersions} from '../index/indexed-version.js'
import {packageSet, type SetPackage, type SetQuery} from './impact/package-set.js'
import type {RequestPorts} from './request/read-request.js'
import {type ClaimPorts, inspectedSignatures} from './signatures/inspected-signatures.js'

/** The packages of a catalog: of a set, of a folder, or of indexes. */
export type CatalogQuery = SetQuery | {readonly kind: 'folder'} | {readonly kind: 'index'}

/** A version to show. */
export interface CatalogPlace extends SetPackage {
  /** The place of a folder from which it is read, if it is. */
  readonly place?: () => Promise<PackagePlace | undefined>
}

/** A package with the versions to show, newest first. */
export interface CatalogPackage {
  readonly package: string
  readonly versions: readonly CatalogPlace[]
  /** The number of versions, including those that are not shown. */
  readonly total: number
}

/** Everything that a catalog shows of one version: computed by what reviews, compares and installs it. */
export interface CatalogVersion extends Description {
  readonly package: string
  readonly version: string
  readonly digest?: string
  /** Whether it is in a folder, which users have to name to install it. */
  readonly isInFolder: boolean
  /** Only those that a policy verified. */
  readonly signatures?: PackageSignatures
  /** Whether another run can read more of it although its key is the same. */
  readonly isPartial?: boolean
}

/** Returns the packages of a catalog by name. @param newest - the maximum number of versions of each; all without it. */
export async function catalogPackages(
  query: CatalogQuery,
  ports: RequestPorts,
  newest = Infinity,
): Promise<readonly CatalogPackage[]> {
  const all = await listed(query, ports)
  return [...grouped(all, own => own.package)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, versions]) => ({
      package: name,
      versions: versions.toSorted((a, b) => compareVersions(a.version, b.version)).slice(0, newest),
      total: versions.length,
    }))
}

async function listed(query: CatalogQuery, ports: RequestPorts): Promise<readonly CatalogPlace[]> {
  if (query.kind === 'folder') return await inFolder(await ports.packages())
  if (query.kind === 'index') return await inIndexes(await ports.packages())
  return (await packageSet(query, ports)).packages
}

async function inFolder(ports: PackagePorts): Promise<readonly CatalogPlace[]> {
  const all = (await ports.folder?.all()) ?? []
  return all.map(({repositoryPath, tag}) => named(repositoryPath, {version: tag, isUnversioned: true}, ports))
}

/** Yanked versions are left out: no user is to select them. */
async function inIndexes(ports: PackagePorts): Promise<readonly CatalogPlace[]> {
  const indexes = (await ports.indexes?.()) ?? []
  const versions = new Map<string, CatalogPlace>()
  for (const index of indexes) {
    for (const {package: name, tag, digest, withdrawn} of indexedVersions(await index.all())) {
      const key = `${name} ${tag}`
      if (withdrawn === undefined && !versions.has(key))
        versions.set(key, named(name, {version: tag, ...present({digest})}, ports))
    }
  }
  return [...versions.values()]
}

function named(
  name: string,
  own: Pick<SetPackage, 'version' | 'digest' | 'isUnversioned'>,
  ports: PackagePorts,
): CatalogPlace {
  const pinned = own.digest !== undefined && isDigest(own.digest) ? {digest: own.digest} : {}
  const image = {...parsePackageImage(name), tag: own.version, ...pinned}
  return {
    package: name,
    ...own,
    locate: async (choices = {}) => await locateImage(image, {...ports, ...choices}),
    place: async () => await placeInFolder(image, ports),
  }
}

/** A version that was found. */
export interface CatalogEntry {
  /** Equal for two runs only if everything that is read of the version is. */
  readonly key: string
  /** Only those that a policy verified in this run. */
  readonly signatures?: PackageSignatures
  /** Reads it. Throws as reading a package does. */
  read(): Promise<ReadVersion>
}

/** A version that was read, and the key of what was read. That is not the key of its entry if it has changed since. */
interface ReadVersion {
  readonly key: string
  readonly content: CatalogVersion
}

/** Port: the keys of packages that were read before, by seals: hashes of places, and of stamps of what is there. */
interface FormerPackages {
  get(seal: string): string | undefined
  set(seal: string, key: string): void
  /** A text that differs after anything at or below a path has changed; undefined if that cannot be told without reading it. */
  stampOf(path: string): Promise<string | undefined>
}

interface EntryPorts {
  readonly ports: ClaimPorts
  readonly cache: SurfaceCache | undefined
  readonly former: FormerPackages | undefined
}

/**
 * Finds one version of a package. One with a digest is not located before it is read, unless a folder could have other content, or
 * its signatures are to be verified; nor is one of a folder that is as it was when it was last read. Throws as locating a package does.
 */
export async function openVersion(own: CatalogPlace, around: EntryPorts): Promise<CatalogEntry> {
  const {digest} = own
  if (digest !== undefined && isPinned(own, around.ports))
    return {key: digest, read: async () => ({key: digest, content: await readPinned(own, around)})}
  const {former} = around
  if (former === undefined || around.ports.remote.trust !== undefined) return await locatedEntry(own, around)
  const seal = await sealOf(own, around.ports, former)
  const key = seal && former.get(seal)
  const find = async () => {
    const entry = await locatedEntry(own, around)
    if (seal !== undefined) former.set(seal, entry.key)
    return entry
  }
  // A key of another way to read packages is replaced when it is read: otherwise, each run would read it again.
  return key === undefined ? await find() : {key, read: async () => await (await find()).read()}
}

function isPinned({digest = '', isUnversioned = false}: SetPackage, {remote, folder}: ClaimPorts): boolean {
  return isDigest(digest) && !isUnversioned && folder === undefined && remote.trust === undefined
}

async function locatedEntry(own: CatalogPlace, around: EntryPorts): Promise<CatalogEntry> {
  const place = await located(own, around)
  const {signatures} = place
  const key = contentKey(place)
  return {
    key,
    ...present({signatures}),
    read: async () => ({key, content: await readVersion(own, place, around)}),
  }
}

const SEALED: readonly PackagePlace['kind'][] = ['directory', 'oci-layout', 'tarball']

/** Bundles and named archives have no seal: they are read. */
async function sealOf(
  own: CatalogPlace,
  {platform}: ClaimPorts,
  former: FormerPackages,
): Promise<string | undefined> {
  const at = await own.place?.()
  if (at === undefined || !SEALED.includes(at.kind)) return undefined
  const stamp = await former.stampOf(at.path)
  const parts = [at.kind, at.path, platform === undefined ? '' : formatPlatform(platform), stamp ?? '']
  return stamp === undefined ? undefined : sha256Of(JSON.stringify(parts))
}

/** The key is the digest, which does not tell whether the examples could be read, such as offline. */
async function readPinned(own: SetPackage, around: EntryPorts): Promise<CatalogVersion> {
  const place = await located(own, around)
  const version = await readVersion(own, place, around)
  return place.located.xpkg?.unreadExamples === undefined ? version : {...version, isPartial: true}
}

function contentKey({located: {files, xpkg, digest}, signatures}: LocatedVersion): string {
  const content = surfaceKey(files, {isDescribed: true})
  const examples = surfaceKey(xpkg?.examples ?? [], {})
  return JSON.stringify([content, examples, xpkg?.unreadExamples ?? '', digest ?? '', signatures ?? ''])
}

interface LocatedVersion {
  readonly located: LocatedPackage
  readonly signatures: PackageSignatures | undefined
}

async function located({locate}: SetPackage, {ports}: EntryPorts): Promise<LocatedVersion> {
  const own = await locate({withExamples: true})
  return {
    located: own,
    signatures: ports.remote.trust === undefined ? undefined : await inspectedSignatures(own, ports),
  }
}

async function readVersion(
  {package: name, version, isUnversioned = false}: SetPackage,
  {located: own, signatures}: LocatedVersion,
  {ports, cache}: EntryPorts,
): Promise<CatalogVersion> {
  const format = await formatFor(own)
  return {
    package: name,
    version,
    isInFolder: isUnversioned,
    ...present({digest: own.digest, signatures}),
    ...(await format.describe(own, ports, cache)),
  }
}

/** Throws `not-found` if a catalog would be empty. */
export function expectPackages(packages: readonly CatalogPackage[], where: string): void {
  if (packages.length > 0) return
  throw new CrossplaneError('not-found', `cannot build a catalog of ${where}: no packages found`, {
    suggestions: ['Pass --packages DIR with a folder that holds PATH/VERSION or PATH@VERSION.'],
  })
}
