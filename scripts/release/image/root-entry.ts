/** A file, folder or symbolic link of a root file system; `path` is relative, with `/` between segments. */
export interface RootEntry {
  readonly path: string
  readonly mode: number
  /** Of the user and of its group; root without it. */
  readonly owner?: number
  /** Absent for a folder. */
  readonly content?: Uint8Array
  readonly link?: string
}

/** The user of the image, who has no rights. */
export const USER = 65_532

/** Returns a folder. */
export function folderAt(path: string, mode = 0o755, owner = 0): RootEntry {
  return {path, mode, owner}
}

/** Returns a file. */
export function fileAt(path: string, content: string | Uint8Array, mode = 0o644): RootEntry {
  return {path, mode, content: typeof content === 'string' ? Buffer.from(content) : content}
}

/** Returns a symbolic link. */
export function linkAt(path: string, link: string): RootEntry {
  return {path, mode: 0o777, link}
}
