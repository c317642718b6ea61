import type {SourceFile} from './source-files.js'

/** Ports: the targets of written files, such as images and locks. Both throw `output-failed` for system errors. */

/** A folder that need not exist. Paths are relative to it, with `/` between segments. */
export interface WritableFolder {
  readonly name: string
  /** Lists the names in the folder itself, in any order; undefined if it does not exist. */
  list(): Promise<readonly string[] | undefined>
  /** An existing file. */
  file(path: string): Promise<SourceFile | undefined>
  /** Writes a file and its parent folders; the file is seen completely or not at all. */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Runs `work` while no other process writes to this folder, which must exist; waits for the lock. Throws
   * `output-refused` if that takes too long.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** A file that need not exist. */
export interface WritableFile {
  readonly name: string
  /** The existing file; throws `output-refused` for anything but a regular file. */
  existing(): Promise<SourceFile | undefined>
  /** Replaces the file; it is seen completely or not at all. */
  write(content: AsyncIterable<Uint8Array>): Promise<void>
  /** Deletes the file, and its folder if that is empty then. */
  remove(): Promise<void>
}
