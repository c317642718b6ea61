import type {ImageStore} from '../../fetch/image-store.js'
import {CrossplaneError} from '../../errors.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {imageStoreOf} from '../../locate/image-store-of.js'
import {digestOf, collectBytes} from '../../fetch/verified-bytes.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {mirroredRepository} from '../../reference/mirrors.js'
import {repositoryOf} from '../../reference/repository.js'
import type {RequestedImage} from '../inspect/requested-images.js'

/**
 * Opens an image where its packages are read: in the folder of packages if that has its digest, otherwise in its registry
 * or the mirror of that.
 */
export async function openImage(image: RequestedImage, ports: PackagePorts): Promise<ImageStore> {
  const local = await storeInFolder(image, ports)
  if (local !== undefined) return local
  const {registry, mirrors = {}, report} = ports.remote
  const {name, reference, digest} = image
  if (registry === undefined) {
    throw new CrossplaneError('offline', `cannot read ${reference}: --offline was given`, {
      suggestions: ['Leave out --offline, and unset CROSSPLANE_OFFLINE: the cache has no whole images.'],
    })
  }
  const repository = mirroredRepository(repositoryOf(name), mirrors)
  const choice = digest === undefined ? {tag: name.tag ?? 'latest'} : {digest}
  return (await registry(repository.registry)).image(repository, choice, report)
}

/** The layout or archive of a version with the digest of the image. */
async function storeInFolder(
  {name, digest}: RequestedImage,
  {folder, sources}: PackagePorts,
): Promise<ImageStore | undefined> {
  if (folder === undefined || digest === undefined) return undefined
  for (const {at} of await folder.versions(name)) {
    if (at.kind === 'directory') continue
    const store = await imageStoreOf(at, sources)
    if (store.isDerived !== true && (await digestOfRoot(store)) === digest) return store
  }
  return undefined
}

async function digestOfRoot(store: ImageStore): Promise<string> {
  const {bytes} = await store.root()
  return digestOf(await collectBytes(bytes, SOURCE_LIMITS.manifestBytes, store.name))
}
