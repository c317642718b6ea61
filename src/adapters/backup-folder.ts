import {join} from 'node:path'
import {dirname} from 'node:path/posix'
import * as nodeFs from 'node:fs/promises'
import type {BackupFolder} from '../backup/write-backup.js'
import {CrossplaneError} from '../errors.js'
import {quoted} from '../text.js'
import {attempt, realFileSystem, unless} from './file-system.js'
import {syncFolder, writeNewFile} from './folder-writer.js'
import {pathInside} from './path-inside.js'
import {readNamedFile} from './read-named-file.js'

/** For the owner alone: instances can hold passwords. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** Bytes: the manifest of about a million instances. */
const MAX_READ = 256 * 1024 * 1024
/** The codes of what is not a file that a backup has. */
const NO_FILE = ['not-found', 'read-failed', 'limit-exceeded']

/** Opens a folder for a backup at `root`, which is created with its first file. */
export function backupFolder(root: string): BackupFolder {
  /** Each folder is made once, also by files that are written at the same time. */
  const made = new Map<string, Promise<void>>()
  const make = (folder: string): Promise<void> => {
    const creation = made.get(folder) ?? makeFolder(root, folder, () => make(dirname(folder)))
    made.set(folder, creation)
    return creation
  }
  return {
    name: root,
    maxRead: MAX_READ,

    async expectEmpty() {
      const names = await attempt('read', root, () => unless(['ENOENT'], nodeFs.readdir(root)))
      if (names !== undefined && names.length > 0) throw notEmpty(root)
    },

    async read(path) {
      try {
        return Buffer.from(await readNamedFile(pathInside(root, path), MAX_READ)).toString()
      } catch (error) {
        if (error instanceof CrossplaneError && NO_FILE.includes(error.code)) return undefined
        throw error
      }
    },

    async create(path, text) {
      const full = pathInside(root, path)
      await make(dirname(path))
      await attempt('write', full, () => writeNewFile(realFileSystem, full, text, {mode: FILE_MODE}))
    },

    async settle() {
      for (const folder of made.keys())
        await attempt('write to', root, () => syncFolder(nodeFs, join(root, folder)))
      await attempt('write to', root, () => syncFolder(nodeFs, join(root, '..')))
    },
  }
}

async function makeFolder(root: string, folder: string, makeParent: () => Promise<void>): Promise<void> {
  const full = join(root, folder)
  if (folder !== '.') await makeParent()
  await attempt('create', full, async () => {
    if (folder === '.') await nodeFs.mkdir(full, {mode: FOLDER_MODE, recursive: true})
    else await nodeFs.mkdir(full, {mode: FOLDER_MODE})
  })
  // The user's empty folder can be open to others. A folder that only its owner may change stays as it is.
  if (folder === '.') await unless(['EPERM'], nodeFs.chmod(full, FOLDER_MODE))
}

function notEmpty(root: string): CrossplaneError {
  const message = `cannot write a backup to ${quoted(root)}: the folder is not empty`
  return new CrossplaneError('output-refused', message, {
    suggestions: [
      'Pass --backup with an empty or new folder.',
      'If it is an incomplete backup (no README.md), delete the folder, and run the command again.',
    ],
  })
}
