import type {Descriptor} from './descriptor.js'
import type {Digest} from './image.js'

/**
 * Port: one image in a layout, an archive or a registry, as raw bytes. Nothing in it is checked or chosen; that is
 * what `fetchImage` does. Throws `not-found` for what is not there.
 */
export interface ImageStore {
  /** What people call it, for messages: `oci:./build:v1` or `registry.example.org/team/package:v1`. */
  readonly name: string
  /** The document that the reference leads to. */
  root(): Promise<RootDocument>
  /** A manifest or index that another one lists. */
  manifest(descriptor: Descriptor): AsyncIterable<Uint8Array>
  /** A layer. Opened anew at each iteration. */
  blob(descriptor: Descriptor): AsyncIterable<Uint8Array>
}

/** An index or manifest. `digest` and `size` are there when something outside of the document vouches for them. */
export interface RootDocument {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly mediaType: string
  readonly digest?: Digest
  readonly size?: number
  /** The tag that the store itself records or was asked for. */
  readonly tag?: string
}
