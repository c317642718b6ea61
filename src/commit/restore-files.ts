import {CrossplaneError, withSuggestions} from '../errors.js'
import type {FolderEntries} from '../plan/folder/folder-snapshot.js'
import type {Sha256} from '../plan/sha256.js'
import {listSome} from '../text.js'
import type {Checkout, NewCommit} from './checkout.js'
import type {OutputFolder} from './output-folder.js'

/** The content that each path gets, relative to the working tree; undefined for a file that is deleted. */
export type WrittenFiles = ReadonlyMap<string, Sha256 | undefined>

/** A working tree that files were written to. */
export interface WrittenTree {
  readonly checkout: Checkout
  /** The same working tree as a folder. */
  readonly whole: OutputFolder
}

/** The files that are not as in HEAD again. */
export interface KeptFiles {
  /** The files that had their content before: the user wrote them. */
  readonly own: ReadonlySet<string>
  /** The contents of files that a hook changed in the commit: they are restored. */
  readonly left?: FolderEntries
}

/** Makes files as in HEAD again, but the user's own, and those that were edited since they were written; returns the latter. */
export async function restoreFiles(
  writtenFiles: WrittenFiles,
  {checkout, whole}: WrittenTree,
  {own, left}: KeptFiles,
): Promise<readonly string[]> {
  const paths = [...writtenFiles.keys()]
  const now = await whole.look(paths)
  const isWritten = (path: string) => {
    const content = contentAt(path, now)
    return content === writtenFiles.get(path) || (left !== undefined && content === contentAt(path, left))
  }
  const kept = paths.filter(path => !isWritten(path))
  await checkout.restore(paths, new Set([...own, ...kept]))
  if (kept.length === 0) return []
  return (await checkout.changed(kept)).map(({path}) => path)
}

/** Undoes a commit, and restores its files as `restoreFiles` does. Throws `git-failed` if the branch has other commits. */
export async function undoCommit(
  commit: NewCommit,
  writtenFiles: WrittenFiles,
  tree: WrittenTree,
  kept: KeptFiles,
): Promise<readonly string[]> {
  await tree.checkout.undo(commit)
  return await restoreFiles(writtenFiles, tree, kept)
}

/** Adds the files that were edited meanwhile to a failure. */
export function withKept(error: unknown, kept: readonly string[]): unknown {
  if (kept.length === 0 || !(error instanceof CrossplaneError)) return error
  return withSuggestions(
    error,
    [],
    `${error.message}; changed meanwhile and not restored: ${listSome(kept, 3)}`,
  )
}

function contentAt(path: string, entries: FolderEntries): string | undefined {
  const entry = entries.get(path)
  return entry?.kind === 'file' ? entry.sha256 : entry?.kind
}
