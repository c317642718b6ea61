import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import type {BackupPorts} from '../../pipeline/cluster/back-up-removal.js'
import {count, escaped} from '../../text.js'
import {isQuietRun} from '../output/quiet-run.js'
import {backupFolder} from '../wire.js'

/**
 * Opens the folder of `--backup`; undefined without the flag. Throws `usage`, and `output-refused` unless the folder is empty or
 * does not exist.
 */
export async function backupPorts(
  folder: string | undefined,
  api: ClusterApi,
  argv: readonly string[],
): Promise<BackupPorts | undefined> {
  if (folder === undefined) return undefined
  if (folder === '') {
    throw new CrossplaneError('usage', '--backup requires a folder', {suggestions: ['Pass --backup DIR.']})
  }
  const opened = await backupFolder(folder)
  await opened.expectEmpty()
  return {
    api,
    folder: opened,
    report: ({instances}) => {
      if (isQuietRun(argv)) return
      process.stderr.write(`Backed up ${count(instances, 'custom resource')} to ${escaped(folder)}\n`)
    },
  }
}
