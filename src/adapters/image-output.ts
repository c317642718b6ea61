import {dirname, join, posix} from 'node:path'
import type {WritableFile, WritableFolder} from '../fetch/output-files.js'
import {CrossplaneError} from '../errors.js'
import {attempt, type FileSystem, kindOf, realFileSystem, unless} from './file-system.js'
import {takeLock} from './folder-lock.js'
import {localFile, localFiles} from './local-files.js'
import {thisProcess} from './lock-holder.js'
import {pathInside} from './path-inside.js'
import {expectRealFolders, makeRealFolder} from './real-folder.js'
import {replaceFile} from './replace-file.js'
import {systemClock} from './system-clock.js'

/** Adding to a list is quick: a lock held for `TRIES` waits of `WAIT` milliseconds belongs to a process that hangs. */
const TRIES = 200
const WAIT = 50
const LOCK = '.index.json.lock'

const FILE_MODE = 0o644
const FOLDER_MODE = 0o755

/** Opens the folder at `root` for writing. */
export function writableFolder(
  root: string,
  files: FileSystem = realFileSystem,
  sleep = (milliseconds: number) => systemClock.sleep(milliseconds),
): WritableFolder {
  return {
    name: root,
    list: () => attempt('list', root, () => unless(['ENOENT'], files.readdir(root))),
    async file(path) {
      pathInside(root, path)
      if ((await unless(['ENOENT'], files.readdir(root))) === undefined) return undefined
      await expectRealFolders(files, root, posix.dirname(path))
      return await (await localFiles(root)).file(path)
    },
    async write(path, content) {
      const full = pathInside(root, path)
      await makeFolder(files, root)
      await makeRealFolder(files, root, posix.dirname(path))
      await writeWhole(files, full, content)
    },
    async exclusively(work) {
      const unlock = await takeLockPatiently(files, join(root, LOCK), sleep)
      try {
        return await work()
      } finally {
        await unlock()
      }
    },
  }
}

async function takeLockPatiently(
  files: FileSystem,
  path: string,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<() => Promise<void>> {
  const self = await thisProcess()
  for (let tries = TRIES; ; tries -= 1) {
    try {
      return await takeLock(files, path, self)
    } catch (error) {
      const isHeld = error instanceof CrossplaneError && error.code === 'output-refused'
      if (!isHeld || tries <= 1) throw error
    }
    await sleep(WAIT)
  }
}

/** Opens the file at `path` for writing. */
export function writableFile(path: string, files: FileSystem = realFileSystem): WritableFile {
  return {
    name: path,
    async existing() {
      const kind = await attempt('read', path, () => kindOf(files, path))
      if (kind === 'absent') return undefined
      if (kind === 'file') return await localFile(path)
      throw new CrossplaneError('output-refused', `cannot write ${path}: not a regular file`, {
        suggestions: ['Choose another file.'],
      })
    },
    async write(content) {
      await makeFolder(files, dirname(path))
      await writeWhole(files, path, content)
    },
  }
}

async function makeFolder(files: FileSystem, path: string): Promise<void> {
  await attempt('create the folder', path, () => files.mkdir(path, {recursive: true, mode: FOLDER_MODE}))
}

async function writeWhole(
  files: FileSystem,
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  await attempt('write', path, () =>
    replaceFile(files, path, unfinished => writeNew(files, unfinished, content)),
  )
}

async function writeNew(files: FileSystem, path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await files.open(path, 'wx', FILE_MODE)
  try {
    for await (const chunk of content) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}
