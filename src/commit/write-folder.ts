import type {OutputFile} from '../plan/file-tree.js'
import {pathsToLookAt, planFolder} from '../plan/folder-plan.js'
import {BOOKKEEPING, OWNED_FILES, parseOwnedFiles} from '../plan/owned-files.js'
import {carryOut} from './carry-out.js'
import type {OutputFolder} from './output-folder.js'
import {type Recovery, recoverFolder} from './recover-folder.js'

/** What a write did: paths relative to the folder, and how many files were right already. */
export interface FolderChange {
  readonly written: readonly string[]
  readonly deleted: readonly string[]
  readonly unchanged: number
  /** What was done first about an earlier write that had been interrupted. */
  readonly recovered?: Recovery
}

const LOCK = `${BOOKKEEPING}/lock`

/**
 * Makes a folder hold exactly these files of ours beside those of others, or leaves it as it was. Throws
 * `output-refused` for files that are not ours to change and while another process writes, `output-failed` where the
 * system refuses; what an interrupted write left behind is completed or rolled back by the next call.
 */
export async function writeFolder(files: readonly OutputFile[], folder: OutputFolder): Promise<FolderChange> {
  return folder.exclusively(LOCK, async changes => {
    const recovered = await recoverFolder(folder, changes)
    const owned = parseOwnedFiles(await folder.read(OWNED_FILES))
    const entries = await folder.look(pathsToLookAt(files, owned))
    const plan = planFolder(files, {entries, owned})
    await carryOut(plan, folder, changes)
    return {
      written: plan.writes.map(file => file.path),
      deleted: plan.deletes.map(file => file.path),
      unchanged: plan.unchanged,
      ...(recovered && {recovered}),
    }
  })
}
