import {join} from 'node:path'
import {dirname} from 'node:path/posix'
import type {FolderChanges} from '../commit/output-folder.js'
import {attempt, type FileSystem, kindOf, unless} from './file-system.js'
import {pathInside} from './path-inside.js'
import {isRealFolder, makeRealFolder} from './real-folder.js'

/** As on most systems, before the umask. */
const FILE_MODE = 0o644

/** Error codes of systems that cannot sync a folder, or do so by themselves. */
const NO_FOLDER_SYNC = ['EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']

/** Implements the writing half of an output folder at `root`. */
export function folderWriter(files: FileSystem, root: string, isSynced: boolean): FolderChanges {
  // Each folder is looked at once, and again after folders were deleted.
  const seen = new Map<string, boolean>()
  return {
    async create(path, content) {
      const full = pathInside(root, path)
      await makeRealFolder(files, root, dirname(path), seen)
      await attempt('write', full, () => writeNewFile(files, full, content, {isSynced}))
    },

    async move(from, to) {
      const full = pathInside(root, to)
      await makeRealFolder(files, root, dirname(to), seen)
      await attempt('write', full, () => files.rename(pathInside(root, from), full))
    },

    async remove(path) {
      const full = pathInside(root, path)
      if (!(await isRealFolder(files, root, dirname(path)))) return
      await attempt('delete', full, () => unless(['ENOENT'], files.unlink(full)))
    },

    async clear(folder) {
      const full = join(root, folder)
      seen.clear()
      await attempt('delete', full, () => clearFolder(files, full))
    },

    async settle(folders) {
      seen.clear()
      for (const folder of folders) {
        const full = join(root, folder)
        if (!(await isRealFolder(files, root, folder === '' ? '.' : folder))) continue
        await attempt('write to', full, () => settleFolder(files, full, {isRoot: folder === '', isSynced}))
      }
    },
  }
}

/** Creates a file, whose bytes are on disk when this resolves unless `isSynced` is false. */
export async function writeNewFile(
  files: Pick<FileSystem, 'create'>,
  path: string,
  content: string,
  {mode = FILE_MODE, isSynced = true}: {readonly mode?: number; readonly isSynced?: boolean} = {},
): Promise<void> {
  const file = await files.create(path, mode)
  try {
    await file.write(content)
    if (isSynced) await file.sync()
  } finally {
    await file.close()
  }
}

/** Deletes a folder of files, or anything else in its place; a link without its target. */
export async function clearFolder(files: FileSystem, path: string): Promise<void> {
  const kind = await kindOf(files, path)
  if (kind === 'absent') return
  if (kind !== 'folder') return files.unlink(path)
  for (const name of await files.readdir(path)) await files.unlink(join(path, name))
  await files.rmdir(path)
}

/** Deletes an empty folder and returns whether it did. Other folders are not tried: error codes differ between systems. */
export async function removeIfEmpty(files: FileSystem, path: string): Promise<boolean> {
  if ((await files.readdir(path)).length > 0) return false
  return (
    (await unless(
      ['EEXIST', 'ENOTEMPTY'],
      files.rmdir(path).then(() => true),
    )) ?? false
  )
}

/** Deletes a folder if it is empty, and otherwise syncs its entries, which fsync(2) of its files does not. */
async function settleFolder(
  files: FileSystem,
  path: string,
  {isRoot, isSynced}: {readonly isRoot: boolean; readonly isSynced: boolean},
): Promise<void> {
  if (!isRoot && (await removeIfEmpty(files, path))) return
  if (isSynced) await syncFolder(files, path)
}

/** Brings the entries of a folder to disk, on systems that can. */
export async function syncFolder(files: Pick<FileSystem, 'open'>, path: string): Promise<void> {
  const sync = async () => {
    const folder = await files.open(path, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
  await unless(NO_FOLDER_SYNC, sync())
}
