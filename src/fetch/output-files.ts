import type {SourceFile} from './source-files.js'

/** Ports: where files are written, such as images and locks. Both throw `output-failed` if the system rejects it. */

/** A folder that need not be there yet. Paths are relative to it, with `/` between segments. */
export interface WritableFolder {
  readonly name: string
  /** What is in the folder itself, in any order; undefined where there is no such folder. */
  list(): Promise<readonly string[] | undefined>
  /** An existing file. */
  file(path: string): Promise<SourceFile | undefined>
  /** Writes a file and the folders on the way to it; it is seen whole or not at all. */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Does something in this folder, which must exist, while no other process does; waits for one that does. Throws
   * `output-refused` if that takes too long.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** A file that need not be there yet. */
export interface WritableFile {
  readonly name: string
  /** The existing file; throws `output-refused` for anything but a regular file. */
  existing(): Promise<SourceFile | undefined>
  /** Replaces the file; it is seen whole or not at all. */
  write(content: AsyncIterable<Uint8Array>): Promise<void>
}
