import {complete} from './carry-out.js'
import {JOURNAL, parseJournal, STAGING} from './journal.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'

/** What became of a write that an earlier process began and did not end. */
export type Recovery = 'completed' | 'rolled-back'

/** A write that did not end: the folder may be half new (`to-complete`), or is as it was before (`to-roll-back`). */
export type PendingWrite = 'to-complete' | 'to-roll-back'

/**
 * What the next `writeFolder` will do about a write that did not end. For whoever reads such a folder; needs no lock,
 * so that a write which is going on right now is seen as pending too.
 */
export async function pendingWrite(folder: OutputFolder): Promise<PendingWrite | undefined> {
  const entries = await folder.look([JOURNAL, STAGING])
  if (entries.has(JOURNAL)) return 'to-complete'
  return entries.has(STAGING) ? 'to-roll-back' : undefined
}

/**
 * Ends a write that an earlier process left behind. Throws `output-refused`, and does nothing, where that would destroy
 * what someone changed since.
 */
export async function recoverFolder(
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<Recovery | undefined> {
  const journal = await folder.read(JOURNAL)
  if (journal !== undefined) {
    await complete(parseJournal(journal), folder, changes)
    return 'completed'
  }
  if ((await pendingWrite(folder)) === undefined) return undefined
  await changes.clear(STAGING)
  return 'rolled-back'
}
