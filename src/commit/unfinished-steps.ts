import {folderRejections, type RejectedPath, type RejectedRule} from '../plan/folder/folder-rejection.js'
import {type FolderEntries, type FolderEntry, foldersAbove} from '../plan/folder/folder-snapshot.js'
import {rejected} from '../plan/rejection.js'
import type {JournalStep} from './journal.js'

/** Every path whose entry `unfinishedSteps` reads. */
export function pathsOfSteps(steps: readonly JournalStep[]): readonly string[] {
  return [...new Set(steps.flatMap(({path, staged}) => [...foldersAbove(path), path, staged]))]
}

/**
 * Returns the remaining steps of a write that stopped at any point. Throws `output-refused`, with a diagnostic for each
 * file, if a step would overwrite a change that another user or program made in the meantime.
 */
export function unfinishedSteps(
  steps: readonly JournalStep[],
  entries: FolderEntries,
  folder: string,
): readonly JournalStep[] {
  const judged = steps.map(step => ({step, verdict: verdictOn(step, entries)}))
  const stopping = judged.flatMap(({step, verdict}): readonly RejectedPath[] =>
    verdict === 'done' || verdict === 'to-do' ? [] : [{path: step.path, rule: verdict}],
  )
  if (stopping.length > 0) throw rejected(folder, folderRejections(stopping))
  return judged.flatMap(({step, verdict}) => (verdict === 'to-do' ? [step] : []))
}

type Verdict = 'done' | 'to-do' | RejectedRule

function verdictOn(step: JournalStep, entries: FolderEntries): Verdict {
  const entry = entries.get(step.path)
  return step.after === undefined ? verdictOnDelete(step, entry) : verdictOnWrite(step, entry, entries)
}

function verdictOnDelete(step: JournalStep, entry: FolderEntry | undefined): Verdict {
  if (entry === undefined) return 'done'
  return hashOf(entry) === step.before ? 'to-do' : 'changed-meanwhile'
}

/**
 * A content is moved out of staging atomically. Once it is moved the step is done, and any other content of the file
 * is a later modification, which the next plan judges.
 */
function verdictOnWrite(step: JournalStep, entry: FolderEntry | undefined, entries: FolderEntries): Verdict {
  const staged = entries.get(step.staged)
  if (staged === undefined) return 'done'
  if (hashOf(staged) !== step.after) return 'staging-damaged'
  if (hasBlockedFolder(step.path, entries)) return 'not-a-folder'
  if (entry === undefined) return 'to-do'
  if (hashOf(entry) === step.after) return 'done'
  return step.before !== undefined && hashOf(entry) === step.before ? 'to-do' : 'changed-meanwhile'
}

function hasBlockedFolder(path: string, entries: FolderEntries): boolean {
  return foldersAbove(path).some(folder => (entries.get(folder)?.kind ?? 'folder') !== 'folder')
}

function hashOf(entry: FolderEntry): string | undefined {
  return entry.kind === 'file' ? entry.sha256 : undefined
}
