import {type BaseImage, readBase} from '../author/build/base-image.js'
import {CrossplaneError} from '../errors.js'
import {formatImageName} from '../reference/image-name.js'
import {parsePackageReference} from '../reference/package-reference.js'
import {repositoryOf, type Repository} from '../reference/repository.js'
import type {Registry} from '../registry/registry.js'
import {imageStoreOf} from './image-store-of.js'
import type {PackageSources} from './package-sources.js'

export interface BasePorts {
  readonly sources: PackageSources
  readonly registry?: Registry
  /** Where names without a registry are looked up. */
  readonly defaultSource?: string
}

/**
 * The image that a package is to be put on, under any name for one. `goesTo` is the repository that the result is for:
 * where the base is in the same registry its layers need not be sent. Throws `usage` for a folder.
 */
export async function baseImage(text: string, ports: BasePorts, goesTo?: Repository): Promise<BaseImage> {
  const reference = parsePackageReference(text)
  if (reference.kind === 'directory') {
    throw new CrossplaneError('usage', `--from ${text} is a folder, and no image`, {
      suggestions: [`Name an OCI layout as oci:${text}.`],
    })
  }
  if (reference.kind !== 'image') return await readBase(await imageStoreOf(reference, ports.sources))
  const {registry, defaultSource} = ports
  if (registry === undefined) throw noRegistry(text)
  const {name} = reference
  const repository = repositoryOf(name, defaultSource)
  const choice = {tag: name.tag ?? 'latest', ...(name.digest === undefined ? {} : {digest: name.digest})}
  return await readBase(registry.image(repository, choice), {
    name: formatImageName(name),
    ...(goesTo?.registry === repository.registry ? {mountFrom: repository.path} : {}),
  })
}

function noRegistry(text: string): CrossplaneError {
  return new CrossplaneError(
    'unsupported',
    `${text} is in a registry, and only layouts and archives are read here`,
    {
      suggestions: [`Copy it first: skopeo copy docker://${text} oci:DIR:TAG, and pass --from oci:DIR:TAG.`],
    },
  )
}
