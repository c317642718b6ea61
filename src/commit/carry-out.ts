import type {FileDelete, FileWrite, FolderPlan} from '../plan/folder-plan.js'
import {foldersAbove} from '../plan/folder-snapshot.js'
import {BOOKKEEPING} from '../plan/owned-files.js'
import {formatJournal, JOURNAL, type JournalStep, journalSteps, STAGING} from './journal.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'
import {pathsOfSteps, unfinishedSteps} from './unfinished-steps.js'

/**
 * Carries a plan out so that a crash at any point leaves the old folder, the new one, or a journal from which the next
 * run goes on. New contents are staged first. The journal appears in one act, when all of them are on disk; then each
 * file is replaced or deleted in one act, the list of our files last; the journal goes when nothing is left to do.
 */
export async function carryOut(
  plan: FolderPlan,
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<void> {
  const operations = [...plan.writes, ...plan.deletes, ...(plan.ownedFiles ? [plan.ownedFiles] : [])]
  if (operations.length === 0) return
  const steps = journalSteps(operations)
  try {
    await stage(operations, steps, changes)
    unfinishedSteps(steps, await folder.look(pathsOfSteps(steps)))
    await changes.move(STAGED_JOURNAL, JOURNAL)
  } catch (error) {
    await rollBack(folder, changes)
    throw error
  }
  await changes.settle([BOOKKEEPING])
  await finish(steps, steps, changes)
}

/** Does what is left of a write whose journal is in place; or nothing, where `unfinishedSteps` throws. */
export async function complete(
  steps: readonly JournalStep[],
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<void> {
  await finish(unfinishedSteps(steps, await folder.look(pathsOfSteps(steps))), steps, changes)
}

const STAGED_JOURNAL = `${STAGING}/journal`

async function stage(
  operations: readonly (FileWrite | FileDelete)[],
  steps: readonly JournalStep[],
  changes: FolderChanges,
): Promise<void> {
  for (const [index, {staged}] of steps.entries()) {
    const operation = operations[index]
    if (operation && 'content' in operation) await changes.create(staged, operation.content)
  }
  await changes.create(STAGED_JOURNAL, formatJournal(steps))
  await changes.settle([STAGING, BOOKKEEPING, ''])
}

/** After a failure: without a journal nothing has happened yet. With one, what is staged is still needed. */
async function rollBack(folder: OutputFolder, changes: FolderChanges): Promise<void> {
  try {
    const entries = await folder.look([JOURNAL])
    if (!entries.has(JOURNAL)) await changes.clear(STAGING)
  } catch {
    // The failure that led here is the one to report, and the next run clears what this one could not.
  }
}

async function finish(
  unfinished: readonly JournalStep[],
  steps: readonly JournalStep[],
  changes: FolderChanges,
): Promise<void> {
  for (const {path, after, staged} of unfinished) {
    await (after === undefined ? changes.remove(path) : changes.move(staged, path))
  }
  await changes.settle(foldersOf(steps))
  await changes.clear(STAGING)
  await changes.remove(JOURNAL)
  await changes.settle([BOOKKEEPING])
}

/** Inner folders before those that hold them, so that a folder is empty once its own empty ones are gone. */
function foldersOf(steps: readonly JournalStep[]): readonly string[] {
  const folders = new Set(steps.flatMap(step => foldersAbove(step.path)))
  return [...[...folders].sort().reverse(), '']
}
