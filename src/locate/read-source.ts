import {fetchImage} from '../fetch/fetch-image.js'
import {type Digest, layersOf} from '../fetch/image.js'
import type {Platform} from '../fetch/platform.js'
import {directoryFiles} from '../unpack/files/directory-files.js'
import {registryFiles} from '../unpack/files/layer-files.js'
import type {PackageFile} from '../unpack/package-file.js'
import {imageStoreOf} from './image-store-of.js'
import type {PackagePlace, PackageSources} from './package-sources.js'

/** The files of a package: of a directory, or of an image with its tag and digest. */
export interface ReadSource {
  readonly files: readonly PackageFile[]
  readonly folder?: string
  readonly tag?: string
  readonly digest?: Digest
}

/** Reads a package from a directory, a layout or an archive. Throws as reading and unpacking them does. */
export async function readSource(
  at: PackagePlace,
  sources: PackageSources,
  platform?: Platform,
): Promise<ReadSource> {
  if (at.kind === 'directory')
    return {files: await directoryFiles(await sources.directory(at.path)), folder: at.path}
  const store = await imageStoreOf(at, sources, platform)
  const image = await fetchImage(store, {platform})
  const digest = store.isDerived === true ? undefined : image.descriptor.digest
  return {files: await registryFiles(layersOf(image)), tag: image.tag, digest}
}
