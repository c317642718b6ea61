import {CrossplaneError} from '../errors.js'
import type {PackageSignatures} from '../inspect/package-signatures.js'
import {locateImage} from '../locate/locate-image.js'
import type {LocatedPackage, PackagePorts} from '../locate/located-package.js'
import type {Description} from '../package/description.js'
import {formatFor} from '../package/formats.js'
import {grouped} from '../grouped.js'
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

/** A package with the versions to show, newest first. */
export interface CatalogPackage {
  readonly package: string
  readonly versions: readonly SetPackage[]
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

async function listed(query: CatalogQuery, ports: RequestPorts): Promise<readonly SetPackage[]> {
  if (query.kind === 'folder') return await inFolder(await ports.packages())
  if (query.kind === 'index') return await inIndexes(await ports.packages())
  return (await packageSet(query, ports)).packages
}

async function inFolder(ports: PackagePorts): Promise<readonly SetPackage[]> {
  const all = (await ports.folder?.all()) ?? []
  return all.map(({repositoryPath, tag}) => named(repositoryPath, {version: tag, isUnversioned: true}, ports))
}

/** Yanked versions are left out: no user is to select them. */
async function inIndexes(ports: PackagePorts): Promise<readonly SetPackage[]> {
  const indexes = (await ports.indexes?.()) ?? []
  const versions = new Map<string, SetPackage>()
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
) {
  const pinned = own.digest !== undefined && isDigest(own.digest) ? {digest: own.digest} : {}
  return {
    package: name,
    ...own,
    locate: async (choices = {}) =>
      await locateImage({...parsePackageImage(name), tag: own.version, ...pinned}, {...ports, ...choices}),
  }
}

/** A version that was found. */
export interface CatalogEntry {
  /** Equal for two runs only if everything that is read of the version is. */
  readonly key: string
  /** Only those that a policy verified in this run. */
  readonly signatures?: PackageSignatures
  /** Reads it. Throws as reading a package does. */
  read(): Promise<CatalogVersion>
}

interface EntryPorts {
  readonly ports: ClaimPorts
  readonly cache: SurfaceCache | undefined
}

/**
 * Finds one version of a package. One with a digest is not located before it is read, unless a folder could have other content, or
 * its signatures are to be verified. Throws as locating a package does.
 */
export async function openVersion(own: SetPackage, around: EntryPorts): Promise<CatalogEntry> {
  const {digest, isUnversioned = false} = own
  const {remote, folder} = around.ports
  if (
    digest !== undefined &&
    isDigest(digest) &&
    !isUnversioned &&
    folder === undefined &&
    remote.trust === undefined
  )
    return {key: digest, read: async () => await readPinned(own, around)}
  const place = await located(own, around)
  const {signatures} = place
  return {
    key: contentKey(place),
    ...present({signatures}),
    read: async () => await readVersion(own, place, around),
  }
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
