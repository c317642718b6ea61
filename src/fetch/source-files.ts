/**
 * Port: files by their path, wherever they lie: a directory on disk, or the inside of an archive. Paths have `/`
 * between segments and no `..`.
 */
export interface SourceFiles {
  /** What people call it, for messages: the path of the directory or archive. */
  readonly name: string
  /** The regular file at a path, or undefined when there is none. */
  file(path: string): Promise<SourceFile | undefined>
}

/** One file, read as often as anyone likes. `size` is in bytes. */
export interface SourceFile {
  readonly name: string
  readonly size: number
  /** Its bytes from offset `start` up to, and without, `end`: all of them by default. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>
}
