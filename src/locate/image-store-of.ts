import {archiveFiles} from '../fetch/archive-files.js'
import {dockerArchiveStore} from '../fetch/docker-archive-store.js'
import type {ImageStore} from '../fetch/image-store.js'
import {ociLayout} from '../fetch/oci-layout.js'
import type {Platform} from '../fetch/platform.js'
import type {PackagePlace, PackageSources} from './package-sources.js'

/** Opens the image of a layout or archive. `platform` selects one of several with the same tag. */
export async function imageStoreOf(
  at: Exclude<PackagePlace, {readonly kind: 'directory'}>,
  sources: PackageSources,
  platform?: Platform,
): Promise<ImageStore> {
  const tag = at.kind === 'tarball' ? undefined : at.tag
  if (at.kind === 'bundle') return ociLayout(at.layout, {tag, platform})
  if (at.kind === 'oci-layout') return ociLayout(await sources.files(at.path), {tag, platform})
  const files = await archiveFiles(await sources.file(at.path))
  const isLayout =
    at.kind === 'oci-archive' || (at.kind === 'tarball' && (await files.file('oci-layout')) !== undefined)
  return isLayout ? ociLayout(files, {tag, platform}) : await dockerArchiveStore(files, {reference: tag})
}
