import {archiveFiles} from '../../fetch/archive-files.js'
import {dockerArchiveStore} from '../../fetch/docker-archive-store.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {ociLayout} from '../../fetch/oci-layout.js'
import type {ArchiveReference} from '../../reference/package-reference.js'
import type {PackageSources} from './package-sources.js'

/** Opens the image of a layout or archive, to copy its parts. */
export async function imageStoreOf(at: ArchiveReference, sources: PackageSources): Promise<ImageStore> {
  const choice = at.tag === undefined ? {} : {tag: at.tag}
  switch (at.kind) {
    case 'oci-layout':
      return ociLayout(await sources.files(at.path), choice)
    case 'oci-archive':
      return ociLayout(await archiveFiles(await sources.file(at.path)), choice)
    case 'docker-archive': {
      const files = await archiveFiles(await sources.file(at.path))
      return await dockerArchiveStore(files, at.tag === undefined ? {} : {reference: at.tag})
    }
  }
}
