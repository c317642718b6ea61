import type {Descriptor, Digest} from './image.js'

/**
 * Port: one image in a layout, an archive or a registry, as raw bytes. Nothing is checked or selected here: `readImage`
 * makes an `Image` of it and does that. Throws `not-found` for a missing document or blob.
 */
export interface ImageStore {
  /** Its name in messages: `oci:./build:v1` or `registry.example.org/team/package:v1`. */
  readonly name: string
  /** Its manifest is made of an archive that has none: no registry has its digest, and its tag is of a local image. */
  readonly isDerived?: boolean
  /** The document that the reference leads to. */
  root(): Promise<RootDocument>
  /** A manifest or index that another one lists. */
  manifest(descriptor: Descriptor): AsyncIterable<Uint8Array>
  /** A layer. Opened anew at each iteration. */
  blob(descriptor: Descriptor): AsyncIterable<Uint8Array>
}

/** An index or manifest. `digest` and `size` are set if a source other than the document states them. */
export interface RootDocument {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly mediaType: string
  readonly digest?: Digest
  readonly size?: number
  /** The requested tag, or the one that the store itself records. */
  readonly tag?: string
}
