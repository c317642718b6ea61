import type {SourceFile} from './source-files.js'

/** Ports: where files are written, such as images and locks. Both throw `output-failed` for what the system refuses. */

/** A folder that need not be there yet. Paths are relative to it, with `/` between segments. */
export interface WritableFolder {
  readonly name: string
  /** What is in the folder itself, in any order; undefined where there is no such folder. */
  list(): Promise<readonly string[] | undefined>
  /** A file that is there already. */
  file(path: string): Promise<SourceFile | undefined>
  /** Writes a file and the folders on the way to it; it is seen whole or not at all. */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Does something while nobody else does so in this folder, which is there; waits for whoever does. Throws
   * `output-refused` where that takes too long.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

/** A file that need not be there yet. */
export interface WritableFile {
  readonly name: string
  /** What is there already; throws `output-refused` for what is no file. */
  existing(): Promise<SourceFile | undefined>
  /** Replaces what is there; it is seen whole or not at all. */
  write(content: AsyncIterable<Uint8Array>): Promise<void>
}
