import {randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import type * as nodeFs from 'node:fs/promises'
import {join} from 'node:path'
import {dirname} from 'node:path/posix'
import {cacheFailed} from './cache-failure.js'
import {expectTrusted} from './cache-trust.js'
import {kindOf, unless} from './file-system.js'
import {readFully} from './read-fully.js'

/** The file system operations that a cache uses. */
export type CacheFileSystem = Pick<
  typeof nodeFs,
  'lstat' | 'lutimes' | 'mkdir' | 'open' | 'readdir' | 'rename' | 'stat' | 'unlink'
>

/** The folder below the root of files that are being written or removed. */
export const UNFINISHED = 'unfinished'

/** Packages may be private. */
export const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Error codes of a path without a file of the cache: absent, a link, a folder, a socket. */
export const NOTHING = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO']

/** Does not follow a link, and does not wait for the writer of a FIFO. */
const READ_FILE_ITSELF = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Reads a regular file; undefined for anything else. Owner and mode are those of the open file, so that it cannot
 * be exchanged between check and read. Throws `cache-failed` for a file that another user could have written.
 */
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
    expectTrusted(path, stats)
    if (stats.size > limit) return 'too long'
    return readFully(handle.fd, new Uint8Array(stats.size))
  } finally {
    await handle.close()
  }
}

/** Writes a file under a unique name, then renames it into place. */
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

/** Creates a folder below the root and its parents, none through a link. */
async function makeFolder(files: CacheFileSystem, root: string, folder: string): Promise<void> {
  if (folder === '.' || (await isReached(files, root, folder))) return
  await makeFolder(files, root, dirname(folder))
  await unless(['EEXIST'], files.mkdir(join(root, folder), {mode: FOLDER_MODE}))
  if (!(await isReached(files, root, folder)))
    throw cacheFailed(`cannot write to ${join(root, folder)} in the cache: not a directory`)
}

/**
 * Reports whether a folder below the root exists and is reached without a link. Throws `cache-failed` for one that another
 * user could have written to.
 */
export async function isReached(
  files: Pick<CacheFileSystem, 'lstat'>,
  root: string,
  folder: string,
): Promise<boolean> {
  if (folder === '.') return true
  if (!(await isReached(files, root, dirname(folder)))) return false
  const path = join(root, folder)
  const stats = await unless(['ENOENT', 'ENOTDIR'], files.lstat(path))
  if (stats?.isDirectory() !== true) return false
  expectTrusted(path, stats)
  return true
}

/**
 * Deletes a file that was not used since a time. It is moved aside first, where no other process can mark it as used, and
 * back if one did so in between.
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

/** Removes a file, or a link without its target; reports whether there was one. */
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

/** Marks a file as used and reports whether it exists; on a read-only cache it is only looked for. */
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

/** Returns a new path in the folder of unfinished files. */
function asideIn(root: string): string {
  return join(root, UNFINISHED, `${process.pid}-${randomBytes(8).toString('hex')}`)
}
