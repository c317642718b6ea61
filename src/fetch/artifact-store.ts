import type {Descriptor, Digest} from './image.js'

/**
 * Port: what a repository or a layout has about its images, such as signatures. Bytes are verified by their reader, as those
 * of an `ImageStore`.
 */
export interface ArtifactStore {
  /** Its name in messages. */
  readonly name: string
  /** The artifacts that name an image as their subject. Throws `limit-exceeded` for too many. */
  referrers(digest: Digest): Promise<readonly Descriptor[]>
  /** A manifest by digest or tag; undefined if it does not exist. */
  manifest(reference: string): Promise<Uint8Array | undefined>
  /** A layer, opened again for each iteration. */
  blob(descriptor: Descriptor): AsyncIterable<Uint8Array>
}
