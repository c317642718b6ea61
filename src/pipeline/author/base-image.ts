import {type BaseImage, readBase} from '../../author/build/base-image.js'
import {CrossplaneError} from '../../errors.js'
import {formatImageName, type ImageName} from '../../reference/image-name.js'
import {nameFromSource} from '../../reference/image-source.js'
import {parsePackageReference} from '../../reference/package-reference.js'
import {repositoryOf} from '../../reference/repository.js'
import type {RegistryAt} from '../../registry/registry.js'
import {rethrowNaming} from '../../locate/failed-connection.js'
import {imageStoreOf} from '../../locate/image-store-of.js'
import type {PackageSources} from '../../locate/package-sources.js'

export interface BasePorts {
  readonly sources: PackageSources
  readonly registry: RegistryAt
  /** The registry of names without one. */
  readonly defaultSource?: string
}

/** The names of archives, of either format, that need no prefix. */
const FILE = /^(?![a-z-]+:).*\.(?:tar|tgz|tar\.gz|xpkg)$/

/** Reads the base image of a package, by any form of its name. Throws `usage` for a folder. */
export async function baseImage(text: string, ports: BasePorts): Promise<BaseImage> {
  if (FILE.test(text)) return await readBase(await imageStoreOf({kind: 'tarball', path: text}, ports.sources))
  const reference = parsePackageReference(text)
  if (reference.kind === 'directory') {
    throw new CrossplaneError('usage', `--from ${text} is a folder, not an image`, {
      suggestions: [`Pass --from oci:${text} for an OCI layout.`],
    })
  }
  if (reference.kind !== 'image') return await readBase(await imageStoreOf(reference, ports.sources))
  const {registry, defaultSource} = ports
  const name = defaultSource === undefined ? reference.name : nameFromSource(reference.name, defaultSource)
  const shown = formatImageName(name)
  return await pulledBase(name, registry).catch(
    rethrowNaming(shown, `cannot read the image ${shown} of --from`),
  )
}

async function pulledBase(name: ImageName, registry: RegistryAt): Promise<BaseImage> {
  const repository = repositoryOf(name)
  const choice = {tag: name.tag ?? 'latest', digest: name.digest}
  const store = (await registry(repository.registry)).image(repository, choice)
  return await readBase(store, formatImageName(name))
}
