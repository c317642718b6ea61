import {createHash} from 'node:crypto'
import {closeSync, constants, type Dirent, openSync, readdirSync, readSync} from 'node:fs'
import {join} from 'node:path'
import {CrossplaneError} from '../errors.js'
import type {EntryKinds, FolderEntries, FolderEntry} from '../plan/folder/folder-snapshot.js'
import {attempt} from './file-system.js'

/** More files than the largest install set has. */
const MAX_ENTRIES = 100_000
const CHUNK = 64 * 1024

/**
 * Returns all files below a folder by path, with `/` between segments, and what is in place of files. Links are not
 * followed, and `.git` is left out. Undefined if the folder does not exist. The calls block: nothing else runs, and they
 * take a third of the time.
 */
export async function listFolder(root: string): Promise<FolderEntries | undefined> {
  const buffer = Buffer.allocUnsafe(CHUNK)
  const entryOf = (child: Dirent, path: string): FolderEntry => {
    const kind = kindOf(child)
    return kind === 'file' ? {kind, sha256: hashOf(path, buffer)} : {kind}
  }
  return await attempt('read', root, () => Promise.resolve(entriesBelow(root, entryOf)))
}

/** The same without hashes, for which files of any size would be read. */
export async function listKinds(root: string): Promise<EntryKinds | undefined> {
  return await attempt('read', root, () => Promise.resolve(entriesBelow(root, kindOf)))
}

function entriesBelow<Entry>(
  root: string,
  entryOf: (child: Dirent, path: string) => Entry,
): ReadonlyMap<string, Entry> | undefined {
  const top = childrenOf(root)
  if (top === undefined) return undefined
  const entries = new Map<string, Entry>()
  const queue = top.map(child => ({child, path: child.name}))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const {child, path} = next
    if (!child.isDirectory()) entries.set(path, entryOf(child, join(root, path)))
    else if (child.name !== '.git') {
      const below = childrenOf(join(root, path)) ?? []
      queue.push(...below.map(dirent => ({child: dirent, path: `${path}/${dirent.name}`})))
    }
    if (entries.size + queue.length > MAX_ENTRIES) throw tooMany(root)
  }
  return entries
}

function kindOf(child: Dirent): 'file' | 'link' | 'other' {
  if (child.isFile()) return 'file'
  return child.isSymbolicLink() ? 'link' : 'other'
}

function childrenOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, {withFileTypes: true})
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function hashOf(path: string, buffer: Buffer): string {
  const hash = createHash('sha256')
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, CHUNK, null)
      if (length === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
}

function tooMany(root: string): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `cannot read ${root}: it has more than ${MAX_ENTRIES} files`)
}
