import {CrossplaneError} from '../errors.js'
import {formatImageName, parseImageName, type ImageName} from '../reference/image-name.js'
import {identityOf} from '../reference/repository-name.js'
import {type PackageReference, parsePackageReference} from '../reference/package-reference.js'
import type {Behavior} from '../unpack/package.js'
import {locateImage} from './locate-image.js'
import {locatePackage} from './locate-package.js'
import type {LocatedPackage, LocateOptions} from './located-package.js'

/** Files by their paths in the folder of the behavior. */
export type ReadTemplates = Pick<LocatedPackage, 'files' | 'facts'>

/** `own` never pulls another image, `any` reads the image that the behavior names. */
type TemplateSource = 'own' | 'any'

/**
 * Reads the templates of a package from where it was read, by their paths in the folder of the behavior, or from the
 * image that the behavior names; with the facts of that image. Undefined if the folder does not exist. Throws the errors of reading the source.
 */
export async function readTemplates(
  located: LocatedPackage,
  {source}: Behavior,
  options: LocateOptions,
  from: TemplateSource,
): Promise<ReadTemplates | undefined> {
  const {asPackage: _own, ...ports} = {...options, filesOf: source.path}
  const other = source.image === undefined ? undefined : otherImage(source.image, located)
  if (other === undefined || located.folder !== undefined) {
    const own = await filesIf(async () => await locatePackage(referenceOf(located), ports))
    if (own !== undefined) return own
  }
  return other === undefined || from === 'own'
    ? undefined
    : await filesIf(async () => await locateImage(other, ports))
}

async function filesIf(read: () => Promise<LocatedPackage>): Promise<ReadTemplates | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'not-found') return undefined
    throw error
  }
}

/** Refers to the bytes that were read, so that a tag that is moved meanwhile makes no difference. */
export function referenceOf({name, readFrom, folder, reference, digest}: LocatedPackage): PackageReference {
  if (folder !== undefined) return {kind: 'directory', path: folder}
  if (reference === undefined || readFrom === name) return parsePackageReference(name)
  return {kind: 'image', name: digest === undefined ? reference : {...reference, digest}}
}

/** Undefined for the image of the package itself, of whatever version. */
function otherImage(image: string, {reference}: LocatedPackage): ImageName | undefined {
  const name = parseImageName(image)
  if (name === undefined) {
    throw new CrossplaneError(
      'package-invalid',
      `cannot read the templates: source.image ${image} is not an image`,
    )
  }
  if (reference === undefined) return name
  const isOwn = identityOf(name) === identityOf(reference)
  const isSameTag =
    [undefined, reference.tag].includes(name.tag) || formatImageName(name) === formatImageName(reference)
  return isOwn && isSameTag ? undefined : name
}
