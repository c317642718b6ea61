import {join, resolve} from 'node:path'
import {dirname} from 'node:path/posix'
import type {FolderChanges, OutputFolder} from '../commit/output-folder.js'
import {type FileSystem, realFileSystem} from './file-system.js'
import {LEASE, takeLock} from './folder-lock.js'
import {folderReader} from './folder-reader.js'
import {folderWriter} from './folder-writer.js'
import {type LockHolder, thisProcess} from './lock-holder.js'
import {makeRealFolder, makeRoot} from './real-folder.js'

interface Settings {
  readonly files?: FileSystem
  readonly whoAmI?: () => Promise<LockHolder>
  readonly lease?: typeof LEASE
  /** Whether what is written has reached the disk before anything that depends on it; a power failure can tear it otherwise. */
  readonly isSynced?: boolean
}

/** Opens the folder at `root`, which need not exist yet and may be a link to a folder. */
export function outputFolder(
  root: string,
  {files = realFileSystem, whoAmI = thisProcess, lease = LEASE, isSynced = true}: Settings = {},
): OutputFolder {
  return {
    name: root,
    path: resolve(root),
    ...folderReader(files, root),

    async exclusively(lock, work) {
      await makeRoot(files, root)
      await makeRealFolder(files, root, dirname(lock))
      const heldLock = await takeLock(files, join(root, lock), await whoAmI(), lease)
      const changes = whileHeld(folderWriter(files, root, isSynced), () => heldLock.expectHeld())
      const result = await work(changes).catch(async (error: unknown) => {
        await heldLock.release().catch(() => undefined) // the first failure is the one to report
        throw error
      })
      await heldLock.release()
      return result
    },
  }
}

/** Returns the same changes, each preceded by `expectHeld`: a process that was suspended may have lost its lock. */
function whileHeld(changes: FolderChanges, expectHeld: () => Promise<void>): FolderChanges {
  return {
    create: async (path, content) => (await expectHeld(), changes.create(path, content)),
    move: async (from, to) => (await expectHeld(), changes.move(from, to)),
    remove: async path => (await expectHeld(), changes.remove(path)),
    clear: async folder => (await expectHeld(), changes.clear(folder)),
    settle: folders => changes.settle(folders),
  }
}
