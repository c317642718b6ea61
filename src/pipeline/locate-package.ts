import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {localRepositoryPath} from '../reference/instance-name.js'
import {newestStable} from '../reference/newest-version.js'
import {formatPackageReference, type PackageReference} from '../reference/package-reference.js'
import type {FolderVersion, PackageFolder, PackageSources} from './package-sources.js'
import {type ReadSource, readSource} from './read-source.js'
import type {Platform} from '../fetch/platform.js'

/** The bytes of a package, and what is known of where they came from. */
export interface LocatedPackage extends ReadSource {
  /** How messages name it. */
  readonly name: string
  /** The folder, layout or archive that was read. */
  readonly readFrom: string
  readonly repositoryPath: string
  /** The reference it is pulled by; none for a folder or tarball without `asPackage`. */
  readonly reference?: ImageName
}

export interface LocateOptions {
  readonly sources: PackageSources
  readonly folder?: PackageFolder
  /** The identity of a local package: as if it were pulled from there. */
  readonly asPackage?: ImageName
  /** Which image of several to read. */
  readonly platform?: Platform
}

/** Reads the package that a reference names. Throws `not-found` and whatever reading it throws. */
export async function locatePackage(
  reference: PackageReference,
  options: LocateOptions,
): Promise<LocatedPackage> {
  if (reference.kind === 'image') return locateImage(reference.name, options)
  const {asPackage} = options
  const read = await readSource(reference, options.sources, options.platform)
  const name = formatPackageReference(reference)
  if (asPackage !== undefined && read.digest !== undefined) refuseOtherDigest(asPackage, name, read.digest)
  return {
    ...read,
    name,
    readFrom: name,
    repositoryPath: asPackage?.path ?? localRepositoryPath(reference.path),
    ...(asPackage === undefined ? {} : {reference: asPackage}),
  }
}

/** The tag that a reference means in a folder. Throws `not-found` as `locatePackage` does, without reading a package. */
export async function expectInFolder(name: ImageName, folder: PackageFolder | undefined): Promise<string> {
  const tags = ((await folder?.versions(name.path)) ?? []).map(version => version.tag)
  const wanted = name.tag ?? newestStable(tags)
  if (wanted === undefined || !tags.includes(wanted)) throw notFound(name, folder, [...tags].sort())
  return wanted
}

async function locateImage(name: ImageName, options: LocateOptions): Promise<LocatedPackage> {
  if (options.asPackage !== undefined) {
    throw new CrossplaneError(
      'usage',
      `--as-package is for local packages, and ${formatImageName(name)} has a name of its own`,
    )
  }
  const {found, read} = await findVersion(name, options)
  const reference = {...name, tag: found.tag}
  return {
    ...read,
    name: formatImageName(reference),
    readFrom: found.at.path,
    repositoryPath: name.path,
    reference,
    tag: found.tag,
  }
}

interface FoundVersion {
  readonly found: FolderVersion
  readonly read: ReadSource
}

/** The version of the tag, or the newest stable one; a digest wins over both. */
async function findVersion(
  name: ImageName,
  {folder, sources, platform}: LocateOptions,
): Promise<FoundVersion> {
  const versions = (await folder?.versions(name.path)) ?? []
  const wanted = name.tag ?? newestStable(versions.map(version => version.tag))
  const candidates = name.digest === undefined ? versions.filter(version => version.tag === wanted) : versions
  for (const found of candidates) {
    const read = await readSource(found.at, sources, platform)
    if (name.digest === undefined || name.digest === read.digest) return {found, read}
  }
  if (name.digest !== undefined && versions.length > 0) throw otherBytes(name)
  throw notFound(name, folder, versions.map(version => version.tag).sort())
}

function otherBytes(name: ImageName): CrossplaneError {
  const message = `${formatImageName(name)} was asked for, and no version of it in the folder has that digest`
  return new CrossplaneError('digest-mismatch', message, {
    suggestions: ['A folder has no digest: an OCI layout or archive of the package has.'],
  })
}

function notFound(
  name: ImageName,
  folder: PackageFolder | undefined,
  tags: readonly string[],
): CrossplaneError {
  const wanted = formatImageName(name)
  if (folder === undefined) {
    return new CrossplaneError(
      'not-found',
      `${wanted} can only be looked up in a folder of packages, and none was given`,
      {
        suggestions: [
          'Pass --packages DIR, or the package itself as ./DIR, oci:DIR, oci-archive:FILE or docker-archive:FILE.',
        ],
      },
    )
  }
  const suggestion =
    tags.length > 0
      ? `The folder has ${name.path} as ${tags.join(', ')}: name one of them.`
      : `It is looked up there as ${name.path}/VERSION or ${name.path}@VERSION.`
  const lacks = name.tag ?? name.digest ?? (tags.length === 0 ? undefined : 'a stable version')
  const message =
    lacks === undefined || tags.length === 0
      ? `${wanted} is not in the folder given with --packages`
      : `the folder given with --packages has ${name.path}, but not ${lacks}`
  return new CrossplaneError('not-found', message, {
    suggestions: [suggestion],
  })
}

function refuseOtherDigest(wanted: ImageName, found: string, digest: string): void {
  if (wanted.digest === undefined || wanted.digest === digest) return
  throw new CrossplaneError(
    'digest-mismatch',
    `${formatImageName(wanted)} was asked for, and ${found} is ${digest}`,
  )
}
