/** 64 lower-case hex digits. */
export type Sha256 = string

/** What is at a path, links not followed. A path at which nothing is has no entry. */
export type FolderEntry =
  | {readonly kind: 'file'; readonly sha256: Sha256}
  | {readonly kind: 'folder'}
  | {readonly kind: 'link'}
  | {readonly kind: 'other'}

/** By path relative to the output folder. */
export type FolderEntries = ReadonlyMap<string, FolderEntry>

/** What was seen of an output folder: `owned` says which files are ours and what we wrote into them. */
export interface FolderSnapshot {
  readonly entries: FolderEntries
  readonly owned: ReadonlyMap<string, Sha256>
}

/** `a` and `a/b` for `a/b/c`: the folders on the way to a path, outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
