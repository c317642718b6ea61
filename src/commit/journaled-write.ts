import {mapConcurrent} from '../map-concurrent.js'
import {type FolderEntries, foldersAbove} from '../plan/folder/folder-snapshot.js'
import {BOOKKEEPING} from '../plan/folder/owned-files.js'
import {type ContentChange, pathsOfChanges} from './file-changes.js'
import {formatJournal, JOURNAL, type JournalStep, journalSteps, STAGING} from './journal.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'
import {pathsOfSteps, unfinishedSteps} from './unfinished-steps.js'

/**
 * Makes changes so that a crash at any point leaves the old folder, the new one, or a journal from which the next run
 * continues. New contents are staged first. The journal is created atomically, when all of them are on disk; then
 * each file is replaced or deleted atomically, in the order of the changes; the journal is deleted at the end. A change
 * with a hash and without its content was staged before, at the place that `journalSteps` gives it.
 */
export async function writeWithJournal(
  requested: readonly ContentChange[],
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<void> {
  if (requested.length === 0) return
  const steps = journalSteps(requested)
  try {
    await stage(requested, steps, changes)
    const entries = await folder.look(pathsOfChanges(steps))
    unfinishedSteps(steps, new Map([...entries, ...stagedEntries(steps)]), folder.name)
    await changes.move(STAGED_JOURNAL, JOURNAL)
  } catch (error) {
    await rollBack(folder, changes)
    throw error
  }
  await changes.settle([BOOKKEEPING])
  await finish(steps, steps, changes)
}

/** Completes a write whose journal is in place; changes nothing where `unfinishedSteps` throws. */
export async function complete(
  steps: readonly JournalStep[],
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<void> {
  await finish(unfinishedSteps(steps, await folder.look(pathsOfSteps(steps)), folder.name), steps, changes)
}

const STAGED_JOURNAL = `${STAGING}/journal`
const MAX_STAGED_AT_ONCE = 16

async function stage(
  requested: readonly ContentChange[],
  steps: readonly JournalStep[],
  changes: FolderChanges,
): Promise<void> {
  // Each waits for the disk, and none for another.
  await mapConcurrent([...steps.entries()], MAX_STAGED_AT_ONCE, async ([index, {staged}]) => {
    const content = requested[index]?.content
    if (content !== undefined) await changes.create(staged, content)
  })
  await changes.create(STAGED_JOURNAL, formatJournal(steps))
  await changes.settle([STAGING, BOOKKEEPING, ''])
}

/** The staged contents that this process wrote itself, while it held the lock. */
function stagedEntries(steps: readonly JournalStep[]): FolderEntries {
  return new Map(
    steps.flatMap(({staged, after}) =>
      after === undefined ? [] : [[staged, {kind: 'file', sha256: after}]],
    ),
  )
}

/** After a failure: without a journal nothing has changed yet. With one, the staged contents are still needed. */
async function rollBack(folder: OutputFolder, changes: FolderChanges): Promise<void> {
  try {
    const entries = await folder.look([JOURNAL])
    if (!entries.has(JOURNAL)) await changes.clear(STAGING)
  } catch {
    // The first failure is the one to report; the next run deletes the remaining files.
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

/** Inner folders before outer ones, so that an outer folder is empty once its inner ones are deleted. */
function foldersOf(steps: readonly JournalStep[]): readonly string[] {
  const folders = new Set(steps.flatMap(step => foldersAbove(step.path)))
  return [...[...folders].sort().reverse(), '']
}
