import type {BundledImage} from '../../bundles/bundle-document.js'
import {type GatheredImage, gatherImage} from '../../bundles/gather-image.js'
import {documentAllowances} from '../../bundles/verify-bundle.js'
import {CrossplaneError} from '../../errors.js'
import type {Descriptor, Digest} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import type {Platform} from '../../fetch/platform.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {compareText} from '../../reference/compare-text.js'
import {signatureContents} from './bundled-signatures.js'
import {openImage} from './image-sources.js'
import type {RequestedImage} from '../inspect/requested-images.js'

/** An image with its documents, and where its blobs are read from. */
export interface ImageContent extends GatheredImage {
  readonly image: BundledImage
  readonly store: ImageStore
}

/** Images that are read at a time. */
const MAX_READS = 4

/** Reads the documents of all images, and their signatures. Throws as reading them does, naming the image. */
export async function bundleContents(
  images: readonly RequestedImage[],
  platforms: readonly Platform[],
  ports: PackagePorts,
): Promise<readonly ImageContent[]> {
  const options = {platforms, allowances: documentAllowances()}
  const contents = new Map<RequestedImage, ImageContent>()
  await mapConcurrent(images, MAX_READS, async image => {
    const store = await openImage(image, ports)
    const gathered = await named(image, () => gatherImage(store, options))
    contents.set(image, {...gathered, store, image: bundled(image, gathered.root)})
  })
  const read = images.flatMap(image => contents.get(image) ?? [])
  const signatures = await signatureContents(read, ports)
  return [...read, ...signatures].sort((a, b) => compareText(a.image.reference, b.image.reference))
}

function bundled(
  {reference, role, isXpkg, usedBy}: RequestedImage,
  {digest, mediaType, size}: Descriptor,
): BundledImage {
  return {reference, digest, mediaType, size, role, isXpkg, usedBy}
}

/** An image that is missing is one of many: the package that runs it says why it is needed. */
async function named<T>({reference, usedBy}: RequestedImage, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    const {code, message, cause, suggestions} = error
    const [by] = usedBy
    const why = by === undefined ? '' : `, which ${by} runs`
    throw new CrossplaneError(code, `cannot bundle ${reference}${why}: ${message}`, {cause, suggestions})
  }
}

/** A blob or document to store, and how it is opened. */
export interface BundledPart {
  readonly descriptor: Descriptor
  readonly open: (start: number) => AsyncIterable<Uint8Array>
}

/** All documents and blobs of some images, each once. */
export function partsOf(contents: readonly ImageContent[]): readonly BundledPart[] {
  const parts = new Map<Digest, BundledPart>()
  for (const {documents, blobs, store} of contents) {
    for (const {descriptor, bytes} of documents)
      parts.set(descriptor.digest, {descriptor, open: start => oneSlice(bytes, start)})
    for (const blob of blobs)
      if (!parts.has(blob.digest))
        parts.set(blob.digest, {descriptor: blob, open: start => store.blob(blob, start)})
  }
  return [...parts.values()]
}

async function* oneSlice(bytes: Uint8Array, start: number): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes.subarray(start))
}
