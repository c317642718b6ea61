import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {localRepositoryPath} from '../reference/instance-name.js'
import {formatPackageReference, type PackageReference} from '../reference/package-reference.js'
import {locateImage} from './locate-image.js'
import type {LocatedPackage, LocateOptions} from './located-package.js'
import {RemoteRepository} from './remote-repository.js'
import {readSource} from './read-source.js'

/** Reads the package that a reference names. Throws `not-found` and the errors of reading it. */
export async function locatePackage(
  reference: PackageReference,
  options: LocateOptions,
): Promise<LocatedPackage> {
  const {asPackage} = options
  if (reference.kind === 'image') {
    rejectSecondName(reference.name, asPackage)
    return await locateImage(reference.name, options)
  }
  const read = await readSource(reference, options.sources, options)
  const name = formatPackageReference(reference)
  if (asPackage !== undefined)
    await new RemoteRepository(asPackage, options.remote).expectTrusted(read.digest)
  if (asPackage !== undefined && read.digest !== undefined) rejectOtherDigest(asPackage, name, read.digest)
  return {
    ...read,
    name,
    readFrom: name,
    repositoryPath: asPackage?.path ?? localRepositoryPath(reference.path),
    ...present({reference: asPackage}),
  }
}

function rejectSecondName(name: ImageName, asPackage: ImageName | undefined): void {
  if (asPackage === undefined) return
  throw new CrossplaneError(
    'usage',
    `--as-package is for local packages, but ${formatImageName(name)} is in a registry`,
  )
}

function rejectOtherDigest(requested: ImageName, actual: string, digest: string): void {
  if (requested.digest === undefined || requested.digest === digest) return
  throw new CrossplaneError(
    'digest-mismatch',
    `the digest of ${actual} is ${digest}, but ${formatImageName(requested)} is requested`,
  )
}
