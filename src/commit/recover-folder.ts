import {complete} from './journaled-write.js'
import {JOURNAL, parseJournal, STAGING} from './journal.js'
import type {FolderChanges, OutputFolder} from './output-folder.js'

/** The outcome for an unfinished write of an earlier process. */
export type Recovery = 'completed' | 'rolled-back'

/** An unfinished write: the folder may be half new (`to-complete`), or is as it was before (`to-roll-back`). */
export type PendingWrite = 'to-complete' | 'to-roll-back'

/**
 * Reports how the next `writeFolder` handles an unfinished write. Takes no lock: a write in progress is pending, too.
 */
export async function pendingWrite(folder: Pick<OutputFolder, 'look'>): Promise<PendingWrite | undefined> {
  const entries = await folder.look([JOURNAL, STAGING])
  if (entries.has(JOURNAL)) return 'to-complete'
  return entries.has(STAGING) ? 'to-roll-back' : undefined
}

/**
 * Completes or rolls back an unfinished write of an earlier process. Throws `output-refused`, and changes nothing, if
 * that would overwrite a later modification.
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
