import {complete} from './journaled-write.js'
import {JOURNAL, parseJournal, STAGING} from './journal.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'

/** How a write that an earlier process began and did not finish was ended. */
export type Recovery = 'completed' | 'rolled-back'

/** An unfinished write: the folder may be half new (`to-complete`), or is as it was before (`to-roll-back`). */
export type PendingWrite = 'to-complete' | 'to-roll-back'

/**
 * What the next `writeFolder` does about an unfinished write. Takes no lock: a write that is in progress right now is
 * pending too.
 */
export async function pendingWrite(folder: OutputFolder): Promise<PendingWrite | undefined> {
  const entries = await folder.look([JOURNAL, STAGING])
  if (entries.has(JOURNAL)) return 'to-complete'
  return entries.has(STAGING) ? 'to-roll-back' : undefined
}

/**
 * Completes or rolls back a write that an earlier process left behind. Throws `output-refused`, and changes nothing,
 * where that would destroy a later modification.
 */
export async function recoverFolder(
  folder: OutputFolder,
  changes: FolderChanges,
): Promise<Recovery | undefined> {
  const journal = await folder.read(JOURNAL)
  if (journal !== undefined) {
    await complete(parseJournal(journal, folder.name), folder, changes)
    return 'completed'
  }
  if ((await pendingWrite(folder)) === undefined) return undefined
  await changes.clear(STAGING)
  return 'rolled-back'
}
