/**
 * Port: files by their path, in a directory on disk or in an archive. Paths have `/` between segments and no `..`.
 */
export interface SourceFiles {
  /** Its name in messages: the path of the directory or archive. */
  readonly name: string
  /** The regular file at a path, or undefined if there is none. */
  file(path: string): Promise<SourceFile | undefined>
}

/** One file; it can be read any number of times. `size` is in bytes. */
export interface SourceFile {
  readonly name: string
  readonly size: number
  /** Its bytes from offset `start` up to, but not including, `end`: all of them by default. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>
}
