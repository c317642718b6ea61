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

async function locateImage(name: ImageName, options: LocateOptions): Promise<LocatedPackage> {
  if (options.asPackage !== undefined) {
    throw new CrossplaneError(
      'usage',
      `--as-package is for local packages, and ${formatImageName(name)} has a name of its own`,
    )
  }
  const found = await findVersion(name, options.folder)
  const read = await readSource(found.at, options.sources, options.platform)
  refuseOtherDigest(name, 'the package in the folder', read.digest)
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

async function findVersion(name: ImageName, folder: PackageFolder | undefined): Promise<FolderVersion> {
  const versions = (await folder?.versions(name.path)) ?? []
  const tag =
    name.tag ?? (name.digest === undefined ? newestStable(versions.map(version => version.tag)) : undefined)
  const found =
    tag === undefined && versions.length === 1 ? versions[0] : versions.find(version => version.tag === tag)
  if (found !== undefined) return found
  throw notFound(name, folder, versions.map(version => version.tag).sort())
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
      ? `The folder has ${name.path} as ${tags.join(', ')}.`
      : `It is looked up there as ${name.path}/VERSION or ${name.path}@VERSION.`
  return new CrossplaneError('not-found', `${wanted} is not in the folder given with --packages`, {
    suggestions: [suggestion],
  })
}

function refuseOtherDigest(wanted: ImageName, found: string, digest: string | undefined): void {
  if (wanted.digest === undefined || wanted.digest === digest) return
  const is = digest === undefined ? 'has no digest' : `is ${digest}`
  throw new CrossplaneError('digest-mismatch', `${formatImageName(wanted)} was asked for, and ${found} ${is}`)
}
