import {backupText, completeBackup} from '../../backup/complete-backup.js'
import type {BackupPorts} from '../../pipeline/cluster/back-up-removal.js'
import {escaped} from '../../text.js'
import type {OpenCluster} from '../cluster/cluster-ports.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {backupFolder} from '../wire.js'

/**
 * Opens the folder of `--backup`; undefined without the flag. Throws `output-refused` unless the folder is empty,
 * does not exist, or has a complete backup.
 */
export async function backupPorts(
  folder: string | undefined,
  {api, progress}: Pick<OpenCluster, 'api' | 'progress'>,
  argv: readonly string[],
): Promise<BackupPorts | undefined> {
  if (folder === undefined) return undefined
  const opened = await backupFolder(folder)
  await completeBackup(opened)
  return {
    api,
    folder: opened,
    report: summary => {
      if (!isQuietRun(argv)) progress.print(backupText(summary, escaped(folder)))
    },
  }
}
