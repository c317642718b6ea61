import type {Diagnostic} from '../diagnostic.js'
import {folderRejections, type RejectedPath} from '../plan/folder/folder-rejection.js'
import {type FolderEntries, foldersAbove} from '../plan/folder/folder-snapshot.js'
import type {Operation, Plan} from '../plan/plan.js'
import {sha256Of} from '../plan/sha256.js'
import type {FileChange} from './journal.js'

/** A change with the content that the file gets; without content the file is deleted. */
export interface ContentChange extends FileChange {
  readonly content?: string
}

/** The operations of a folder's plan as changes of files, in their order. */
export function fileChanges({operations}: Plan): readonly ContentChange[] {
  return operations.map(changeOf)
}

function changeOf({action, path, content, precondition}: Operation): ContentChange {
  const before = precondition !== undefined && 'sha256' in precondition ? precondition.sha256 : undefined
  const isComplete = action === 'delete' ? before !== undefined : content !== undefined
  if (path === undefined || precondition === undefined || !isComplete) {
    throw new RangeError(`an output folder cannot execute ${action} of ${path ?? 'no path'}`)
  }
  return content === undefined || action === 'delete'
    ? {path, before}
    : {path, before, after: sha256Of(content), content}
}

/** Every path whose entry `judgeChanges` reads. */
export function pathsOfChanges(changes: readonly FileChange[]): readonly string[] {
  return [...new Set(changes.flatMap(({path}) => [...foldersAbove(path), path]))]
}

/**
 * Returns the changes that remain, and a rejection for each whose file is neither in the planned old state nor in the
 * new one.
 */
export function judgeChanges(
  changes: readonly ContentChange[],
  entries: FolderEntries,
): {readonly remaining: readonly ContentChange[]; readonly rejections: readonly Diagnostic[]} {
  const judged = changes.map(change => ({change, state: stateOf(change, entries)}))
  const stopping = judged.flatMap(({change: {path}, state}): readonly RejectedPath[] =>
    state === 'before' || state === 'after' ? [] : [{path, rule: state}],
  )
  return {
    remaining: judged.flatMap(({change, state}) => (state === 'before' ? [change] : [])),
    rejections: folderRejections(stopping),
  }
}

function stateOf(
  {path, before, after}: FileChange,
  entries: FolderEntries,
): 'before' | 'after' | RejectedPath['rule'] {
  const blocked = foldersAbove(path).some(folder => (entries.get(folder)?.kind ?? 'folder') !== 'folder')
  if (blocked) return 'not-a-folder'
  const entry = entries.get(path)
  if (entry !== undefined && entry.kind !== 'file') return 'not-a-file'
  if (entry?.sha256 === before) return 'before'
  return entry?.sha256 === after ? 'after' : 'changed-meanwhile'
}
