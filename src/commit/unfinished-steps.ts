import {folderRefusal, type RefusedPath, type RefusedRule} from '../plan/folder-refusal.js'
import {type FolderEntries, type FolderEntry, foldersAbove} from '../plan/folder-snapshot.js'
import type {JournalStep} from './journal.js'

/** Every path whose entry `unfinishedSteps` reads. */
export function pathsOfSteps(steps: readonly JournalStep[]): readonly string[] {
  return [...new Set(steps.flatMap(({path, staged}) => [...foldersAbove(path), path, staged]))]
}

/**
 * The steps that are still to be done, whatever point a write had reached. Throws `output-refused`, with a fault for
 * each file, where a step would destroy what someone else put there meanwhile.
 */
export function unfinishedSteps(
  steps: readonly JournalStep[],
  entries: FolderEntries,
): readonly JournalStep[] {
  const judged = steps.map(step => ({step, verdict: verdictOn(step, entries)}))
  const refused = judged.flatMap(({step, verdict}): readonly RefusedPath[] =>
    verdict === 'done' || verdict === 'to-do' ? [] : [{path: step.path, rule: verdict}],
  )
  if (refused.length > 0) throw folderRefusal(refused)
  return judged.flatMap(({step, verdict}) => (verdict === 'to-do' ? [step] : []))
}

type Verdict = 'done' | 'to-do' | RefusedRule

function verdictOn(step: JournalStep, entries: FolderEntries): Verdict {
  const entry = entries.get(step.path)
  return step.after === undefined ? verdictOnDelete(step, entry) : verdictOnWrite(step, entry, entries)
}

function verdictOnDelete(step: JournalStep, entry: FolderEntry | undefined): Verdict {
  if (entry === undefined) return 'done'
  return hashOf(entry) === step.before ? 'to-do' : 'changed-meanwhile'
}

/**
 * A content is moved out of staging in one act. Once it is gone from there the step was done, and whatever someone made
 * of the file since is an edit for the next plan to judge.
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
