import type {Descriptor, Digest} from './image.js'

/**
 * Port: one image in a layout, an archive or a registry, as raw bytes. Nothing is verified or selected here:
 * `readImage` does that and returns an `Image`. Throws `not-found` for a missing document or blob.
 */
export interface ImageStore {
  /** Its name in messages: `oci:./build:v1` or `registry.example.org/team/package:v1`. */
  readonly name: string
  /**
   * The manifest was generated for an archive that has none: no registry has its digest, and its tag is of a local
   * image.
   */
  readonly isDerived?: boolean
  /** The document that the reference resolves to. */
  root(): Promise<RootDocument>
  /** A manifest or index that another one lists. */
  manifest(descriptor: Descriptor): AsyncIterable<Uint8Array>
  /** A layer or config from an offset on, by default all of it; opened again for each iteration. */
  blob(descriptor: Descriptor, start?: number): AsyncIterable<Uint8Array>
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
