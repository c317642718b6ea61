/**
 * Port: a directory on disk that is or contains a package. Paths are relative to it, with `/` between segments. Links
 * are reported, never followed.
 */
export interface PackageDirectory {
  /** As the user wrote it. */
  readonly name: string
  /**
   * The segments of its real path from the file system's root, none of them a link: absolute links refer to these.
   */
  readonly location: readonly string[]
  /**
   * Lists the names in a directory, in any order: all, or `atMost + 1` of more. One that is not UTF-8 contains
   * U+FFFD.
   */
  list(path: string, atMost: number): Promise<readonly string[]>
  /** Returns the type of an entry; `absent` also if a part of the path is not a directory. */
  entry(path: string): Promise<DirectoryEntry>
  /** Returns a regular file's bytes: all, or `atMost + 1` of more. */
  read(path: string, atMost: number): Promise<Uint8Array>
}

/** `other` are devices, sockets and FIFOs. */
export type DirectoryEntry =
  | {readonly kind: 'file' | 'directory' | 'other' | 'absent'}
  | {readonly kind: 'symlink'; readonly target: string}
