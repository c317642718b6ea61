import {archiveFiles} from '../../fetch/archive-files.js'
import {dockerArchiveImage} from '../../fetch/docker-archive.js'
import {type FetchOptions, fetchImage} from '../../fetch/fetch-image.js'
import type {Digest, Image} from '../../fetch/image.js'
import {ociLayout} from '../../fetch/oci-layout.js'
import type {Platform} from '../../fetch/platform.js'
import {directoryFiles} from '../../unpack/files/directory-files.js'
import {registryFiles} from '../../unpack/files/layer-files.js'
import type {PackageFile} from '../../unpack/package-file.js'
import type {PackagePlace, PackageSources} from './package-sources.js'

/** The files of a package, with the tag and digest of its image; a directory has neither. */
export interface ReadSource {
  readonly files: readonly PackageFile[]
  readonly tag?: string
  readonly digest?: Digest
}

export async function readSource(
  at: PackagePlace,
  sources: PackageSources,
  platform?: Platform,
): Promise<ReadSource> {
  if (at.kind === 'directory') return {files: await directoryFiles(await sources.directory(at.path))}
  const image = await imageOf(at, sources, platform === undefined ? {} : {platform})
  return {
    files: await registryFiles(image.layers),
    ...(image.tag === undefined ? {} : {tag: image.tag}),
    ...(image.digest === undefined ? {} : {digest: image.digest}),
  }
}

type ImagePlace = Exclude<PackagePlace, {readonly kind: 'directory'}>

async function imageOf(at: ImagePlace, sources: PackageSources, options: FetchOptions): Promise<Image> {
  const tag = at.kind === 'tarball' || at.tag === undefined ? {} : {tag: at.tag}
  const files =
    at.kind === 'oci-layout' ? await sources.files(at.path) : await archiveFiles(await sources.file(at.path))
  const isDocker =
    at.kind === 'docker-archive' || (at.kind === 'tarball' && (await files.file('oci-layout')) === undefined)
  if (isDocker) return await dockerArchiveImage(files, tag.tag === undefined ? {} : {reference: tag.tag})
  return await fetchImage(ociLayout(files, {...tag, ...options}), options)
}
