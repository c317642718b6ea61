import {join} from 'node:path'
import {dirname} from 'node:path/posix'
import type {OutputFolder} from '../commit/output-folder.js'
import {type FileSystem, realFileSystem} from './file-system.js'
import {takeLock} from './folder-lock.js'
import {folderReader} from './folder-reader.js'
import {folderWriter} from './folder-writer.js'
import {type LockHolder, thisProcess} from './lock-holder.js'
import {makeRealFolder, makeRoot} from './real-folder.js'

/** The folder at `root`, which need not be there yet and may be a link to a folder. */
export function outputFolder(
  root: string,
  files: FileSystem = realFileSystem,
  whoAmI: () => Promise<LockHolder> = thisProcess,
): OutputFolder {
  return {
    name: root,
    ...folderReader(files, root),

    async exclusively(lock, work) {
      await makeRoot(files, root)
      await makeRealFolder(files, root, dirname(lock))
      const unlock = await takeLock(files, join(root, lock), await whoAmI())
      const result = await work(folderWriter(files, root)).catch(async (error: unknown) => {
        await unlock().catch(() => undefined) // the first failure is the one to report
        throw error
      })
      await unlock()
      return result
    },
  }
}
