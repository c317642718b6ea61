import type {Platform} from './platform.js'

/** `sha256:` and 64 hex digits. */
export type Digest = `sha256:${string}`

/**
 * A reference from one document of an image to another or to a blob. `size` is in bytes.
 * https://github.com/opencontainers/image-spec/blob/v1.1.1/descriptor.md
 */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: Digest
  readonly size: number
  readonly platform?: Platform
  readonly annotations: Readonly<Record<string, string>>
  /** What an artifact other than an image contains, such as a signature. */
  readonly artifactType?: string
}

/**
 * A layer or config, opened again for each call. The bytes of `open` are verified by the time the iteration ends: a
 * mismatch with digest or size throws `digest-mismatch` in place of the end.
 */
export interface Blob {
  readonly descriptor: Descriptor
  open(): AsyncIterable<Uint8Array>
}

/**
 * The one view of an image, or of an index of images, for every source and sink. Its documents are in memory, its blobs
 * are read when they are opened.
 */
export interface Image {
  /** Describes the document; with platform and annotations where an index lists it. */
  readonly descriptor: Descriptor
  readonly bytes: Uint8Array
  /** The tag that was requested, or that the source itself records, such as a layout. */
  readonly tag?: string
  /** The images of an index, as far as they were read; undefined for an image. */
  readonly images?: readonly Image[]
  readonly config?: Blob
  /** From the lowest up; none in an index. */
  readonly layers: readonly Blob[]
}

/** Lists the images in an index and the indexes it lists; an image lists itself. */
export function platformImages(image: Image): readonly Image[] {
  return image.images?.flatMap(platformImages) ?? [image]
}

/** The layers of an image, or of those in an index, from the lowest up. */
export function layersOf(image: Image): readonly Blob[] {
  return platformImages(image).flatMap(({layers}) => layers)
}

/** All layers and configs, each once: images of an index share them. */
export function blobsOf(image: Image): readonly Blob[] {
  return unique(
    platformImages(image).flatMap(({layers, config}) =>
      config === undefined ? layers : [...layers, config],
    ),
  )
}

/** Lists all manifests and indexes, each once, and after those that it lists; the last one is the image's own. */
export function documentsOf(image: Image): readonly Image[] {
  return unique([...(image.images?.flatMap(documentsOf) ?? []), image])
}

function unique<P extends Pick<Blob, 'descriptor'>>(parts: readonly P[]): readonly P[] {
  return [...new Map(parts.map(part => [part.descriptor.digest, part])).values()]
}
