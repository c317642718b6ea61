import {createHash} from 'node:crypto'
import {constants} from 'node:fs'
import {dirname} from 'node:path/posix'
import {setImmediate} from 'node:timers/promises'
import type {FileStamp, OutputFolder} from '../commit/output-folder.js'
import {CrossplaneError} from '../errors.js'
import {mapConcurrent} from '../map-concurrent.js'
import type {FolderEntry} from '../plan/folder/folder-snapshot.js'
import {fileStamp} from './file-stamp.js'
import {attempt, type FileSystem, kindOf, unless} from './file-system.js'
import {pathInside} from './path-inside.js'
import {isRealFolder} from './real-folder.js'

/** Far above the list and the journal of the largest set, and small enough for memory. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
/** Each waits for the disk, and none for another. */
const MAX_LOOKED_AT_ONCE = 16

/** Implements the reading half of an output folder at `root`. */
export function folderReader(
  files: FileSystem,
  root: string,
): Pick<OutputFolder, 'look' | 'names' | 'read' | 'stamps'> {
  return {
    async look(paths) {
      const seen = new Map<string, boolean>()
      const entries = new Map<string, FolderEntry>()
      await mapConcurrent(paths, MAX_LOOKED_AT_ONCE, async path => {
        if (!(await isRealFolder(files, root, dirname(path), seen))) return
        const entry = await entryAt(files, pathInside(root, path))
        if (entry) entries.set(path, entry)
      })
      // In the order of the paths, whichever was read first.
      return new Map(
        paths.flatMap(path => {
          const entry = entries.get(path)
          return entry === undefined ? [] : [[path, entry] as const]
        }),
      )
    },

    async stamps(paths) {
      const seen = new Map<string, boolean>()
      const stamps = new Map<string, FileStamp>()
      for (const path of paths) {
        const stamp = (await isRealFolder(files, root, dirname(path), seen))
          ? await stampAt(files, pathInside(root, path))
          : undefined
        if (stamp !== undefined) stamps.set(path, stamp)
      }
      return stamps
    },

    async read(path) {
      if (!(await isRealFolder(files, root, dirname(path)))) return undefined
      return textAt(files, pathInside(root, path))
    },

    async names(path) {
      if (!(await isRealFolder(files, root, path))) return []
      const full = pathInside(root, path)
      return [...(await attempt('list', full, () => files.readdir(full)))].sort()
    },
  }
}

async function entryAt(files: FileSystem, path: string): Promise<FolderEntry | undefined> {
  const kind = await attempt('read', path, () => kindOf(files, path))
  if (kind === 'absent') return undefined
  return kind === 'file' ? {kind, sha256: await attempt('read', path, () => hashOf(files, path))} : {kind}
}

async function stampAt(files: FileSystem, path: string): Promise<FileStamp | undefined> {
  const stats = await attempt('read', path, () =>
    unless(['ENOENT', 'ENOTDIR'], files.lstat(path, {bigint: true})),
  )
  return stats?.isFile() === true ? fileStamp(stats) : undefined
}

/**
 * Returns the text of a file, `undefined` if nothing exists. Throws `output-refused` for anything but a regular file.
 */
export async function textAt(files: FileSystem, path: string): Promise<string | undefined> {
  const kind = await attempt('read', path, () => kindOf(files, path))
  if (kind === 'absent') return undefined
  if (kind !== 'file') throw notAFile(path)
  return attempt('read', path, () => unless(['ENOENT'], readText(files, path)))
}

/** It blocks: signals and timers, such as that of the lock, have their turn between files. */
async function hashOf(files: FileSystem, path: string): Promise<string> {
  await setImmediate()
  const hash = createHash('sha256')
  await files.scan(path, bytes => hash.update(bytes))
  return hash.digest('hex')
}

async function readText(files: FileSystem, path: string): Promise<string> {
  const file = await files.open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const {bytesRead, buffer} = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES)
      if (bytesRead === 0) return Buffer.concat(chunks).toString('utf8')
      length += bytesRead
      if (length > MAX_TEXT_BYTES) throw tooLong(path)
      chunks.push(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

function notAFile(path: string): CrossplaneError {
  return new CrossplaneError('output-refused', `cannot read ${path}: it is not a regular file`, {
    suggestions: [`Move ${path} elsewhere, then run the command again.`],
  })
}

function tooLong(path: string): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `cannot read ${path}: it is larger than ${MAX_TEXT_BYTES} bytes`,
  )
}
