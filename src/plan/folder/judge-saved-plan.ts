import type {Diagnostic} from '../../diagnostic.js'
import type {Operation} from '../plan.js'
import {sha256Of} from '../sha256.js'
import {folderRejections, type RejectedRule} from './folder-rejection.js'
import type {FolderSnapshot, OwnedFiles} from './folder-snapshot.js'
import {isMergedByGit} from './merged-file.js'
import {isBookkeepingPath, isListPath, joinOwnedFiles, parseOwnedFiles} from './owned-files.js'

/** What a saved plan is judged by: the folder with its lists of managed files, by their paths. */
export interface JudgedFolder extends FolderSnapshot {
  readonly listed: ReadonlyMap<string, OwnedFiles>
}

/** Returns the lists of managed files as a plan leaves them, by their paths. */
export function listsAfter(
  operations: readonly Operation[],
  listed: ReadonlyMap<string, OwnedFiles>,
): ReadonlyMap<string, OwnedFiles> {
  const after = new Map(listed)
  for (const {path = '', content} of operations) {
    if (!isListPath(path)) continue
    if (content === undefined) after.delete(path)
    else after.set(path, parseOwnedFiles(content, 'the plan', path))
  }
  return after
}

/**
 * Returns a rejection for each file that a saved plan changes although it is not managed, and for each that would be
 * managed, or no longer be, without an operation on it. Anyone can write a plan: without this, one that knows the hash of
 * a user's file could replace it, or have the next run delete it.
 */
export function judgeSavedPlan(
  operations: readonly Operation[],
  folder: JudgedFolder,
): readonly Diagnostic[] {
  const after = joinOwnedFiles(listsAfter(operations, folder.listed).values())
  const changes = operations.filter(({path = ''}) => !isBookkeepingPath(path))
  const changed = new Map(changes.map(change => [change.path ?? '', change]))
  const judged: readonly (readonly [string, RejectedRule | undefined])[] = [
    ...changes.map(change => [change.path ?? '', againstChange(change, after, folder)] as const),
    ...[...new Set([...after.keys(), ...folder.owned.keys()])].flatMap(path =>
      changed.has(path) ? [] : [[path, againstListing(path, after, folder)] as const],
    ),
  ]
  return folderRejections(judged.flatMap(([path, rule]) => (rule === undefined ? [] : [{path, rule}])))
}

function againstChange(
  {path = '', content}: Operation,
  after: OwnedFiles,
  folder: JudgedFolder,
): RejectedRule | undefined {
  const hashes = after.get(path) ?? []
  const sha256 = content === undefined ? undefined : sha256Of(content)
  const isListed = sha256 === undefined ? hashes.length === 0 : hashes.includes(sha256)
  return isListed ? againstCurrent(path, sha256, folder) : 'unlisted-file'
}

/** Other entries are judged by their preconditions; a file with the new content needs no change. */
function againstCurrent(
  path: string,
  sha256: string | undefined,
  folder: JudgedFolder,
): RejectedRule | undefined {
  const entry = folder.entries.get(path)
  if (entry?.kind !== 'file' || entry.sha256 === sha256) return undefined
  const owned = folder.owned.get(path)
  if (owned === undefined) return 'foreign-file'
  return owned.includes(entry.sha256) || isMergedByGit(path, folder) ? undefined : 'edited-file'
}

/** Judges a file that is in a list before or after the plan, and that the plan does not change. */
function againstListing(
  path: string,
  after: OwnedFiles,
  {owned, entries}: JudgedFolder,
): RejectedRule | undefined {
  const [before, hashes] = [owned.get(path), after.get(path)]
  const entry = entries.get(path)
  if (hashes === undefined) return entry === undefined ? undefined : 'unlisted-file'
  if (before === undefined) return entry === undefined ? 'unlisted-file' : 'foreign-file'
  const current = entry?.kind === 'file' ? [entry.sha256] : []
  return hashes.every(sha256 => [...before, ...current].includes(sha256)) ? undefined : 'unlisted-file'
}
