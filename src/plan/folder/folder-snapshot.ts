import type {Sha256} from '../sha256.js'

/** The entry at a path; links are not followed. A path without an entry does not exist. */
export type FolderEntry =
  | {readonly kind: 'file'; readonly sha256: Sha256}
  | {readonly kind: 'folder'}
  | {readonly kind: 'link'}
  | {readonly kind: 'other'}

/** By path relative to the output folder. */
export type FolderEntries = ReadonlyMap<string, FolderEntry>

/** The kinds of entries, by the same paths. */
export type EntryKinds = ReadonlyMap<string, FolderEntry['kind']>

/** The managed files with the hashes of their written contents; several hashes after a merge of two branches. */
export type OwnedFiles = ReadonlyMap<string, readonly Sha256[]>

/** The observed state of an output folder. */
export interface FolderSnapshot {
  readonly entries: FolderEntries
  readonly owned: OwnedFiles
  /** The paths of its lists of managed files. */
  readonly lists?: readonly string[]
  /** Current contents of managed files that are about to change, for reasons, risks and diffs. */
  readonly texts: ReadonlyMap<string, string>
}

/** Returns `a` and `a/b` for `a/b/c`: the parents of a path, outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
