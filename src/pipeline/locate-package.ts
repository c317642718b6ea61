import {CrossplaneError} from '../errors.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {localRepositoryPath} from '../reference/instance-name.js'
import {newestStable} from '../reference/newest-version.js'
import {formatPackageReference, type PackageReference} from '../reference/package-reference.js'
import {registryFiles} from '../unpack/layer-files.js'
import type {RegistryFile} from '../unpack/registry-file.js'
import type {FolderVersion, PackageFolder, PackageSources} from './package-sources.js'

/** The bytes of a package, and what is known of where they came from. */
export interface LocatedPackage {
  readonly files: readonly RegistryFile[]
  /** How messages name it. */
  readonly name: string
  readonly repositoryPath: string
  /** The reference it is pulled by; none for a folder or tarball without `asPackage`. */
  readonly reference?: ImageName
  /** The tag that the source itself records. */
  readonly tag?: string
  readonly digest?: string
}

export interface LocateOptions {
  readonly sources: PackageSources
  readonly folder?: PackageFolder
  /** The identity of a local package: as if it were pulled from there. */
  readonly asPackage?: ImageName
}

/** Reads the package that a reference names. Throws `not-found` and whatever reading it throws. */
export async function locatePackage(
  reference: PackageReference,
  options: LocateOptions,
): Promise<LocatedPackage> {
  if (reference.kind === 'image') return locateImage(reference.name, options)
  const {asPackage} = options
  const read = await readSource(reference, options.sources)
  return {
    ...read,
    name: formatPackageReference(reference),
    repositoryPath: asPackage?.path ?? localRepositoryPath(reference.path),
    ...(asPackage === undefined ? {} : {reference: asPackage}),
    ...(asPackage?.digest === undefined ? {} : {digest: asPackage.digest}),
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
  const read = await readSource(found.at, options.sources)
  if (name.digest !== undefined && name.digest !== read.digest) throw otherDigest(name, read.digest)
  const reference = {...name, tag: found.tag}
  return {...read, name: formatImageName(reference), repositoryPath: name.path, reference, tag: found.tag}
}

async function readSource(
  at: FolderVersion['at'],
  sources: PackageSources,
): Promise<Pick<LocatedPackage, 'files' | 'tag' | 'digest'>> {
  if (at.kind === 'directory') return {files: await sources.directory(at.path)}
  const image = await sources.image(at)
  return {
    files: await registryFiles(image.layers),
    ...(image.tag === undefined ? {} : {tag: image.tag}),
    ...(image.digest === undefined ? {} : {digest: image.digest}),
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

function otherDigest(name: ImageName, digest: string | undefined): CrossplaneError {
  const has = digest === undefined ? 'has no digest' : `is ${digest}`
  return new CrossplaneError(
    'digest-mismatch',
    `${formatImageName(name)} was asked for, and the package in the folder ${has}`,
  )
}
