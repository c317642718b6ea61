import type {OutputFile} from '../plan/folder/file-tree.js'
import type {FolderEntries, FolderSnapshot} from '../plan/folder/folder-snapshot.js'
import {pathsToObserve, pathsToRead} from '../plan/folder/plan-folder.js'
import {
  INSTALL_LISTS,
  isBookkeepingPath,
  isListPath,
  joinOwnedFiles,
  OWNED_FILES,
  parseLists,
} from '../plan/folder/owned-files.js'
import {type Plan, risksOf} from '../plan/plan.js'
import {rejected} from '../plan/rejection.js'
import {sha256Of} from '../plan/sha256.js'
import type {Target} from '../plan/target.js'
import type {Diagnostic} from '../diagnostic.js'
import {fileChanges, judgeChanges, pathsOfChanges} from './file-changes.js'
import {writeWithJournal} from './journaled-write.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'

/** The changes of a write: paths relative to the folder, and the number of unchanged files. */
export interface FolderChange {
  readonly written: readonly string[]
  readonly deleted: readonly string[]
  readonly unchanged: number
  readonly risks: readonly Diagnostic[]
}

export type FolderTarget = Target<readonly OutputFile[], FolderSnapshot, FolderChange>

/** An output folder whose lock is held: `changes` comes from `exclusively`. */
export function folderTarget(folder: OutputFolder, changes: FolderChanges): FolderTarget {
  return {observe: files => observeFolder(files, folder), apply: plan => applyToFolder(plan, folder, changes)}
}

/** Reads the snapshot for planning these files. Takes no lock, so a plan made from it must not be executed. */
export async function observeFolder(
  files: readonly OutputFile[],
  folder: OutputFolder,
): Promise<FolderSnapshot> {
  const lists = await readLists(folder)
  const owned = joinOwnedFiles(parseLists(lists, folder.name).values())
  const paths = [...lists.keys()]
  const entries = await folder.look(pathsToObserve(files, owned, paths))
  return {
    entries,
    owned,
    lists: paths,
    texts: await textsOf(pathsToRead(files, {entries, owned}), entries, folder),
  }
}

/** Reads the lists of managed files of a folder, by their paths. */
export async function readLists(folder: OutputFolder): Promise<ReadonlyMap<string, string>> {
  const names = await folder.names(INSTALL_LISTS)
  const paths = [OWNED_FILES, ...names.map(name => `${INSTALL_LISTS}/${name}`).filter(isListPath)]
  const texts = new Map<string, string>()
  for (const path of paths) {
    const text = await folder.read(path)
    if (text !== undefined) texts.set(path, text)
  }
  return texts
}

/**
 * Reads the contents of those paths at which `entries` has a file; omits those that changed since, or are not UTF-8.
 */
export async function textsOf(
  paths: readonly string[],
  entries: FolderEntries,
  folder: OutputFolder,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) {
    const entry = entries.get(path)
    const text = entry?.kind === 'file' ? await folder.read(path) : undefined
    if (text !== undefined && entry?.kind === 'file' && entry.sha256 === sha256Of(text)) texts.set(path, text)
  }
  return texts
}

async function applyToFolder(
  plan: Plan,
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<FolderChange> {
  const requested = fileChanges(plan)
  const {remaining, rejections} = judgeChanges(requested, await folder.look(pathsOfChanges(requested)))
  if (rejections.length > 0) throw rejected(folder.name, rejections)
  await writeWithJournal(remaining, folder, changes)
  const visible = remaining.filter(({path}) => !isBookkeepingPath(path))
  const done = requested.filter(({path, after}) => !isBookkeepingPath(path) && after !== undefined).length
  const writtenPaths = visible.flatMap(({path, after}) => (after === undefined ? [] : [path]))
  return {
    written: writtenPaths,
    deleted: visible.flatMap(({path, after}) => (after === undefined ? [path] : [])),
    unchanged: plan.unchanged + done - writtenPaths.length,
    risks: risksOf(plan),
  }
}
