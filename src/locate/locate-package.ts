import {CrossplaneError} from '../errors.js'
import {present} from '../present.js'
import {formatImageName, type ImageName} from '../reference/image-name.js'
import {localRepositoryPath} from '../reference/instance-name.js'
import {
  formatPackageReference,
  type PackageReference,
  parsePackageImage,
  parsePackageReference,
} from '../reference/package-reference.js'
import {locateImage} from './locate-image.js'
import type {LocatedPackage, LocateOptions} from './located-package.js'
import {expectSpelled} from './near-names.js'
import {RemoteRepository} from './remote-repository.js'
import {readSource} from './read-source.js'

/** A package as a user names it. */
export interface GivenPackage {
  readonly reference: string
  readonly asPackage?: string
}

/** Reads the package that a user names. A misspelled name does not reach a registry. Throws as `locatePackage` does. */
export async function locateGiven(
  {reference, asPackage}: GivenPackage,
  options: LocateOptions,
): Promise<LocatedPackage> {
  const target = parsePackageReference(reference)
  if (target.kind === 'image') await expectSpelled(target.name, options)
  return await locatePackage(target, {
    ...options,
    ...present({asPackage: asPackage === undefined ? undefined : parsePackageImage(asPackage)}),
  })
}

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

/** Throws `usage` for a package of a registry with a second name. */
export function rejectSecondName(name: ImageName, asPackage: ImageName | undefined): void {
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
