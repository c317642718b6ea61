import type {Digest} from '../fetch/image.js'
import type {SourceFile} from '../fetch/source-files.js'

/**
 * Port: a folder in which blobs are collected by digest. What was stored survives the end of the process, and so does the
 * begin of a blob. The methods throw `output-failed` for system errors.
 */
export interface BlobFolder {
  readonly name: string
  /** A blob that was completed. */
  complete(digest: Digest): Promise<SourceFile | undefined>
  /** The begin of a blob. */
  partial(digest: Digest): Promise<SourceFile | undefined>
  /** Adds bytes to the begin of a blob, or begins it. */
  append(digest: Digest, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Makes the begin of a blob the whole one. */
  finish(digest: Digest): Promise<void>
  /** Removes the begin of a blob, and the whole one. */
  discard(digest: Digest): Promise<void>
  /** The digests of all whole blobs. */
  list(): Promise<readonly Digest[]>
  /** Removes the folder with everything that this program puts into it. */
  remove(): Promise<void>
}
