import type {Blob, Descriptor, Image} from '../fetch/image.js'
import type {ImageStore} from '../fetch/image-store.js'
import {verifiedBytes} from '../fetch/verified-bytes.js'
import {documentLinks} from './document-links.js'
import type {GatheredDocument, GatheredImage} from './gather-image.js'

/** Returns a gathered image as it is pushed: of its indexes, what was gathered. */
export function imageToPush({root, documents}: GatheredImage, store: ImageStore): Image {
  const byDigest = new Map(documents.map(document => [document.descriptor.digest, document]))
  const view = ({descriptor, bytes}: GatheredDocument): Image => {
    const links = documentLinks(bytes, descriptor.mediaType, `the manifest ${descriptor.digest}`)
    const images = links.manifests.flatMap(entry => byDigest.get(entry.digest) ?? []).map(view)
    return {
      descriptor,
      bytes,
      layers: links.layers.map(layer => storedBlob(store, layer)),
      ...(links.isIndex ? {images} : {}),
      ...(links.config === undefined ? {} : {config: storedBlob(store, links.config)}),
    }
  }
  const own = byDigest.get(root.digest)
  if (own === undefined) throw new RangeError(`${root.digest} was not gathered`)
  return view(own)
}

function storedBlob(store: ImageStore, descriptor: Descriptor): Blob {
  return {
    descriptor,
    open: () => verifiedBytes(store.blob(descriptor), descriptor, `${descriptor.digest} of ${store.name}`),
  }
}

/** Reports whether an image lacks some of the images that its indexes list. */
export function isSparse({documents}: GatheredImage): boolean {
  const own = new Set(documents.map(({descriptor}) => descriptor.digest))
  return documents.some(({descriptor, bytes}) =>
    documentLinks(bytes, descriptor.mediaType, descriptor.digest).manifests.some(
      ({digest}) => !own.has(digest),
    ),
  )
}
