import {join, resolve} from 'node:path'
import {dirname} from 'node:path/posix'
import {CrossplaneError} from '../errors.js'
import {attempt, type FileSystem, kindOf, unless} from './file-system.js'

/** As on most systems, before the umask. */
const FOLDER_MODE = 0o755

/**
 * Reports whether `folder` (relative to `root`, `.` for the root) is a folder that is reached without a link on the
 * way. `seen` caches results where many paths are checked.
 */
export async function isRealFolder(
  files: FileSystem,
  root: string,
  folder: string,
  seen = new Map<string, boolean>(),
): Promise<boolean> {
  if (folder === '.') return true
  const cached = seen.get(folder)
  if (cached !== undefined) return cached
  const full = join(root, folder)
  const answer =
    (await isRealFolder(files, root, dirname(folder), seen)) &&
    (await attempt('read', full, () => kindOf(files, full))) === 'folder'
  seen.set(folder, answer)
  return answer
}

/**
 * Creates a folder and those on the way to it. Throws `output-refused` where anything else is in its place. `seen` caches
 * results where many files are written, as long as no folder is deleted.
 */
export async function makeRealFolder(
  files: FileSystem,
  root: string,
  folder: string,
  seen = new Map<string, boolean>(),
): Promise<void> {
  if (await isRealFolder(files, root, folder, seen)) return
  await makeRealFolder(files, root, dirname(folder), seen)
  const full = join(root, folder)
  await attempt('create the folder', full, () => unless(['EEXIST'], files.mkdir(full, {mode: FOLDER_MODE})))
  seen.delete(folder)
  if (!(await isRealFolder(files, root, folder, seen))) throw notAFolder(full)
}

/** Throws `output-refused` where anything but a folder, such as a link, stands on the way to `folder` below `root`. */
export async function expectRealFolders(files: FileSystem, root: string, folder: string): Promise<void> {
  if (folder === '.') return
  await expectRealFolders(files, root, dirname(folder))
  const full = join(root, folder)
  const kind = await attempt('read', full, () => kindOf(files, full))
  if (kind !== 'folder' && kind !== 'absent') throw notAFolder(full)
}

/** Creates the root itself, which may be a link to a folder: the user chose it. */
export async function makeRoot(files: FileSystem, root: string): Promise<void> {
  await attempt('create the folder', root, async () => {
    await makeAll(files, root)
    const entries = await unless(['ENOTDIR'], files.readdir(root))
    if (entries === undefined) throw notAFolder(root)
  })
}

/**
 * Creates a folder and its parents one by one: Node's own recursive mkdir never ends on a file system that answers
 * ENOENT for a new folder.
 */
export async function makeAll(
  files: Pick<FileSystem, 'mkdir'>,
  root: string,
  mode = FOLDER_MODE,
): Promise<void> {
  // No folder can be created as `a/.`, which is a.
  const folder = root.replace(/(?<=[^/])(?:\/+\.?)+$/, '')
  const made = await unless(['ENOENT'], makeOne(files, folder, mode))
  if (made !== undefined) return
  const parent = resolve(folder, '..')
  if (parent !== resolve(folder)) await makeAll(files, parent, mode)
  await makeOne(files, folder, mode)
}

async function makeOne(files: Pick<FileSystem, 'mkdir'>, folder: string, mode: number): Promise<true> {
  await unless(['EEXIST', 'ENOTDIR'], files.mkdir(folder, {mode}))
  return true
}

function notAFolder(path: string): CrossplaneError {
  return new CrossplaneError(
    'output-refused',
    `cannot write to ${path}: it is not a folder, or a link to one`,
    {
      suggestions: ['Move it elsewhere, or choose another output folder.'],
    },
  )
}
