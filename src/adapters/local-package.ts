import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import {join, sep} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {CrossplaneError, withSuggestions} from '../errors.js'
import type {DirectoryEntry, PackageDirectory} from '../unpack/files/package-directory.js'
import {cannotRead, isAbsent, nearPaths} from './cannot-read.js'
import {readFully} from './read-fully.js'

/**
 * Opens a directory on disk. Throws `not-found` if there is none. Its calls block, which takes a third of the time that
 * threads take; signals and timers have their turn between files.
 */
export async function localPackage(path: string): Promise<PackageDirectory> {
  const root = await attempt(path, () => realpathSync.native(path)).catch((error: unknown) => {
    const isMissing = error instanceof CrossplaneError && error.code === 'not-found'
    throw isMissing ? withSuggestions(error, nearPaths(path)) : error
  })
  const at = (inside: string) => join(root, inside)
  return {
    name: path,
    location: root.split(sep).filter(segment => segment !== ''),
    list: (inside, atMost) => attempt(at(inside), () => namesIn(at(inside), atMost + 1)),
    entry: inside => attempt(at(inside), () => entryAt(at(inside))),
    read: async (inside, atMost) => {
      await setImmediate()
      return await attempt(at(inside), () => readAtMost(at(inside), atMost + 1))
    },
  }
}

function namesIn(path: string, count: number): readonly string[] {
  const names: string[] = []
  const directory = opendirSync(path)
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      names.push(entry.name)
      if (names.length === count) break
    }
    return names
  } finally {
    directory.closeSync()
  }
}

function entryAt(path: string): DirectoryEntry {
  try {
    const stats = lstatSync(path)
    if (stats.isSymbolicLink()) return {kind: 'symlink', target: readlinkSync(path)}
    if (stats.isFile()) return {kind: 'file'}
    return {kind: stats.isDirectory() ? 'directory' : 'other'}
  } catch (error) {
    if (isAbsent(error)) return {kind: 'absent'}
    throw error
  }
}

/** Does not follow a link, nor wait for a writer if a FIFO has replaced the file in the meantime. */
const READ_FILE_ITSELF = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function readAtMost(path: string, count: number): Uint8Array {
  const file = openSync(path, READ_FILE_ITSELF)
  try {
    return readFully(file, new Uint8Array(Math.min(fstatSync(file).size, count)))
  } finally {
    closeSync(file)
  }
}

async function attempt<T>(path: string, act: () => T): Promise<T> {
  try {
    return await Promise.resolve(act())
  } catch (error) {
    throw cannotRead(path, error)
  }
}
