import {
  closeSync,
  constants,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import * as nodeFs from 'node:fs/promises'
import {promisify} from 'node:util'
import {CrossplaneError} from '../errors.js'

/** The file system operations that the adapters use. */
export interface FileSystem extends Pick<
  typeof nodeFs,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'rename' | 'rmdir' | 'unlink'
> {
  /** Creates a file for a text; fails where anything exists. */
  create(path: string, mode: number): Promise<NewFile>
  /** Reads a file to its end; no link is followed. `take` must not keep the bytes: the next ones are in the same memory. */
  scan(path: string, take: (bytes: Uint8Array) => void): Promise<void>
}

/** A file that was just created. */
export interface NewFile {
  write(text: string): Promise<void>
  /** Resolves when the text is on disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * The file system of Node.js. What reads or changes single entries of folders, writes a text, or reads thousands of files, runs
 * in the calling thread: it takes microseconds, and a turn through the thread pool takes many times as long.
 */
export const realFileSystem: FileSystem = {
  // The bundle loads this module of Node.js when it is used.
  get open() {
    return nodeFs.open
  },
  get readdir() {
    return nodeFs.readdir
  },
  lstat: atOnce(lstatSync) as FileSystem['lstat'],
  mkdir: atOnce(mkdirSync) as FileSystem['mkdir'],
  rename: atOnce(renameSync),
  rmdir: atOnce(rmdirSync),
  unlink: atOnce(unlinkSync),
  create: atOnce((path, mode) => newFile(openSync(path, 'wx', mode))),
  scan: atOnce(scan),
}

/** Does not wait for a writer if a FIFO takes the place of the file. */
const SCANNED = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
/** Most pages and manifests are smaller. */
const CHUNK = Buffer.allocUnsafeSlow(64 * 1024)

function scan(path: string, take: (bytes: Uint8Array) => void): void {
  const descriptor = openSync(path, SCANNED)
  try {
    for (let length = readSync(descriptor, CHUNK); length > 0; length = readSync(descriptor, CHUNK))
      take(CHUNK.subarray(0, length))
  } finally {
    closeSync(descriptor)
  }
}

const syncToDisk = promisify(fsync)

function newFile(descriptor: number): NewFile {
  return {
    write: atOnce(text => writeFileSync(descriptor, text)),
    sync: () => syncToDisk(descriptor),
    close: atOnce(() => closeSync(descriptor)),
  }
}

/** The same as a promise, which an error rejects. */
function atOnce<Args extends readonly unknown[], Result>(
  act: (...args: Args) => Result,
): (...args: Args) => Promise<Result> {
  return (...args) => new Promise(resolve => resolve(act(...args)))
}

/** The kind of a path; symbolic links are not followed. */
export type PathKind = 'absent' | 'file' | 'folder' | 'link' | 'other'

/** Returns the kind of a path; a path below a file is absent. */
export async function kindOf(files: Pick<FileSystem, 'lstat'>, path: string): Promise<PathKind> {
  const stats = await unless(['ENOENT', 'ENOTDIR'], files.lstat(path))
  if (stats === undefined) return 'absent'
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** Returns the result of `act`, or `undefined` where it fails with one of these system error codes. */
export async function unless<T>(codes: readonly string[], act: Promise<T>): Promise<T | undefined> {
  try {
    return await act
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}

/** Runs `act`; a system error becomes `output-failed`, naming the attempted action and the path. */
export async function attempt<T>(attempted: string, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw new CrossplaneError('output-failed', `cannot ${attempted} ${path}: ${reasonOf(code)}`, {
      cause,
      suggestions: NEXT_STEPS.get(code) ?? [],
    })
  }
}

const FREE = ['Free space on the disk, then run the command again.']
const PERMIT = ['Check the owner and the permissions of this path and of its folder.']

/** What a user can do about a system error; others are not to be solved in one way. */
const NEXT_STEPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['EACCES', PERMIT],
  ['EDQUOT', FREE],
  ['ENOSPC', FREE],
  ['ENOTDIR', ['Pass the path of a folder.']],
  ['EPERM', PERMIT],
  ['EROFS', ['Use a path on a file system that can be written.']],
])

/** Returns a system error code in words, as `strerror` has them; an uncommon code is returned unchanged. */
export function reasonOf(code: string): string {
  return REASONS.get(code) ?? code
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EBUSY', 'device or resource busy'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EEXIST', 'file exists'],
  ['EINVAL', 'invalid argument'],
  ['EIO', 'input/output error'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENFILE', 'too many open files in system'],
  ['ENOENT', 'no such file or directory'],
  ['ENOSPC', 'no space left on device'],
  ['ENOTDIR', 'not a directory'],
  ['ENOTEMPTY', 'directory not empty'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'read-only file system'],
])

/** Returns the code of a system error, such as `ENOENT`. By shape, since the error may come from another realm. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error))
    return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
