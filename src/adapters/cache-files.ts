import {randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import type * as nodeFs from 'node:fs/promises'
import {join} from 'node:path'
import {dirname} from 'node:path/posix'
import {cacheFailed} from './cache-failure.js'
import {kindOf, unless} from './file-system.js'
import {readFully} from './read-fully.js'

/** What a cache asks of a file system. */
export type CacheFileSystem = Pick<
  typeof nodeFs,
  'lstat' | 'lutimes' | 'mkdir' | 'open' | 'readdir' | 'rename' | 'stat' | 'unlink'
>

/** Below the root: writes that are under way, and what is about to be removed. */
export const UNFINISHED = 'unfinished'

/** A package may be private to its owner. */
export const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Nothing is at a path, or what is there is none of ours: a link, a folder, a socket. */
export const NOTHING = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO']

/** Never through a link, and never waiting for a writer, should a fifo be there. */
const READ_FILE_ITSELF = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The bytes of a plain file; undefined for anything else. */
export async function readFile(
  files: CacheFileSystem,
  path: string,
  limit: number,
): Promise<Uint8Array | 'too long' | undefined> {
  const handle = await unless(NOTHING, files.open(path, READ_FILE_ITSELF))
  if (handle === undefined) return undefined
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return undefined
    if (stats.size > limit) return 'too long'
    return await readFully(handle, new Uint8Array(stats.size))
  } finally {
    await handle.close()
  }
}

/** Aside, under a name that nobody else has, then into place at once. */
export async function writeFile(
  files: CacheFileSystem,
  root: string,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const aside = asideIn(root)
  await makeFolder(files, root, UNFINISHED)
  await makeFolder(files, root, dirname(name))
  try {
    await writeNew(files, aside, bytes)
    await files.rename(aside, join(root, name))
  } catch (error) {
    await files.unlink(aside).catch(() => undefined) // the first failure is the one to report
    throw error
  }
}

async function writeNew(files: CacheFileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const handle = await files.open(path, 'wx', FILE_MODE)
  try {
    await handle.writeFile(bytes)
  } finally {
    await handle.close()
  }
}

/** Makes a folder below the root and those that lead to it, none through a link. */
async function makeFolder(files: CacheFileSystem, root: string, folder: string): Promise<void> {
  if (folder === '.' || (await isReached(files, root, folder))) return
  await makeFolder(files, root, dirname(folder))
  await unless(['EEXIST'], files.mkdir(join(root, folder), {mode: FOLDER_MODE}))
  if (!(await isReached(files, root, folder)))
    throw cacheFailed(`Cannot write to ${join(root, folder)} in the cache: it is no folder.`)
}

/** Whether a folder below the root is one, and reached without a link. */
export async function isReached(
  files: Pick<CacheFileSystem, 'lstat'>,
  root: string,
  folder: string,
): Promise<boolean> {
  if (folder === '.') return true
  return (
    (await isReached(files, root, dirname(folder))) && (await kindOf(files, join(root, folder))) === 'folder'
  )
}

/**
 * Deletes a file that was not used since a time. One who marks it as used in between is seen: it is moved aside first,
 * where nobody can mark it any more, and back if it was.
 */
export async function removeUnused(
  files: CacheFileSystem,
  root: string,
  name: string,
  since: number,
): Promise<boolean> {
  const path = join(root, name)
  if (await isUsed(files, path, since)) return false
  const aside = asideIn(root)
  await makeFolder(files, root, UNFINISHED)
  if (!(await isDone(files.rename(path, aside)))) return false
  if (await isUsed(files, aside, since)) {
    await files.rename(aside, path)
    return false
  }
  return await removeFile(files, aside)
}

async function isUsed(files: CacheFileSystem, path: string, since: number): Promise<boolean> {
  const stats = await unless(NOTHING, files.lstat(path))
  return stats !== undefined && stats.mtimeMs > since
}

/** Whether there was a file, or a link, which is removed without what it leads to. */
export async function removeFile(files: CacheFileSystem, path: string): Promise<boolean> {
  return (await kindOf(files, path)) !== 'folder' && (await isDone(files.unlink(path)))
}

async function isDone(act: Promise<void>): Promise<boolean> {
  return (
    (await unless(
      NOTHING,
      act.then(() => true),
    )) ?? false
  )
}

/** Whether it is there; who may not mark it may still read it. */
export async function touchFile(files: CacheFileSystem, path: string): Promise<boolean> {
  const now = new Date()
  const touched = files.lutimes(path, now, now).then(() => true)
  return (
    (await unless(
      NOTHING,
      unless(['EACCES', 'EPERM', 'EROFS'], touched).then(answer => answer ?? true),
    )) ?? false
  )
}

/** A new path in the folder of what is under way. */
function asideIn(root: string): string {
  return join(root, UNFINISHED, `${process.pid}-${randomBytes(8).toString('hex')}`)
}
