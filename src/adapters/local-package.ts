import {constants} from 'node:fs'
import {lstat, open, opendir, readlink, realpath} from 'node:fs/promises'
import {join, sep} from 'node:path'
import type {DirectoryEntry, PackageDirectory} from '../unpack/files/package-directory.js'
import {cannotRead, isAbsent} from './cannot-read.js'
import {readFully} from './read-fully.js'

/** Opens a directory on disk. Throws `not-found` if there is none. */
export async function localPackage(path: string): Promise<PackageDirectory> {
  const root = await attempt(path, () => realpath(path))
  const at = (inside: string) => join(root, inside)
  return {
    name: path,
    location: root.split(sep).filter(segment => segment !== ''),
    list: (inside, atMost) => attempt(at(inside), () => namesIn(at(inside), atMost + 1)),
    entry: inside => attempt(at(inside), () => entryAt(at(inside))),
    read: (inside, atMost) => attempt(at(inside), () => readAtMost(at(inside), atMost + 1)),
  }
}

async function namesIn(path: string, count: number): Promise<readonly string[]> {
  const names: string[] = []
  for await (const {name} of await opendir(path)) {
    names.push(name)
    if (names.length === count) break
  }
  return names
}

async function entryAt(path: string): Promise<DirectoryEntry> {
  try {
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) return {kind: 'symlink', target: await readlink(path)}
    if (stats.isFile()) return {kind: 'file'}
    return {kind: stats.isDirectory() ? 'directory' : 'other'}
  } catch (error) {
    if (isAbsent(error)) return {kind: 'absent'}
    throw error
  }
}

/** Does not follow a link, nor wait for a writer if a FIFO has replaced the file in the meantime. */
const READ_FILE_ITSELF = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function readAtMost(path: string, count: number): Promise<Uint8Array> {
  const handle = await open(path, READ_FILE_ITSELF)
  try {
    const {size} = await handle.stat()
    return await readFully(handle, new Uint8Array(Math.min(size, count)))
  } finally {
    await handle.close()
  }
}

async function attempt<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw cannotRead(path, error)
  }
}
