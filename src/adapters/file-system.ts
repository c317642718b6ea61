import * as nodeFs from 'node:fs/promises'
import {CrossplaneError} from '../errors.js'

/** What the adapters of this folder ask of a file system. */
export type FileSystem = Pick<
  typeof nodeFs,
  'lstat' | 'mkdir' | 'open' | 'readdir' | 'rename' | 'rmdir' | 'unlink'
>

/** Node's own. */
export const realFileSystem: FileSystem = nodeFs

/** What can be at a path; links are not followed. */
export type PathKind = 'absent' | 'file' | 'folder' | 'link' | 'other'

/** What is at a path. Below a file there is nothing. */
export async function kindOf(files: Pick<FileSystem, 'lstat'>, path: string): Promise<PathKind> {
  const stats = await unless(['ENOENT', 'ENOTDIR'], files.lstat(path))
  if (stats === undefined) return 'absent'
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** The result of an act, or `undefined` where the system answers with one of these codes. */
export async function unless<T>(codes: readonly string[], act: Promise<T>): Promise<T | undefined> {
  try {
    return await act
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}

/** Runs `act`, and says of a system's refusal what was attempted on which path: `output-failed`. */
export async function attempt<T>(attempted: string, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw new CrossplaneError('output-failed', `Cannot ${attempted} ${path}: ${reasonOf(code)}.`, {
      cause,
      suggestions: ['See to that, then run the command again: nothing half written is taken for whole.'],
    })
  }
}

/** A system's code in words, or itself where it is an uncommon one. */
export function reasonOf(code: string): string {
  return REASONS.get(code) ?? code
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EEXIST', 'something else is in its place'],
  ['ENOENT', 'a part of the path is not there'],
  ['ENOSPC', 'no space is left on the device'],
  ['ENOTDIR', 'a part of the path is no folder'],
  ['EPERM', 'the operation is not permitted'],
  ['EROFS', 'the file system is read-only'],
])

/** `ENOENT` and its like; `undefined` for what is no error of the system. By shape: it may come from another realm. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error))
    return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
