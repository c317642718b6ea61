import {dirname, join, posix} from 'node:path'
import type {WritableFile, WritableFolder} from '../fetch/output-files.js'
import {CrossplaneError} from '../errors.js'
import {attempt, type FileSystem, kindOf, realFileSystem, unless} from './file-system.js'
import {type HeldLock, takeLock} from './folder-lock.js'
import {localFile, localFiles} from './local-files.js'
import {thisProcess} from './lock-holder.js'
import {pathInside} from './path-inside.js'
import {expectRealFolders, makeAll, makeRealFolder} from './real-folder.js'
import {removeAbandoned, replaceFile} from './replace-file.js'
import {systemClock} from './system-clock.js'

/**
 * The number of waits, of `WAIT` milliseconds each. Together longer than a lease, so that the lock of a dead process is
 * not reported.
 */
const TRIES = 180
const WAIT = 250
const LOCK = '.index.json.lock'

const FILE_MODE = 0o644

/** Opens the folder at `root` for writing. */
export function writableFolder(
  root: string,
  files: FileSystem = realFileSystem,
  sleep = (milliseconds: number) => systemClock.sleep(milliseconds),
): WritableFolder {
  let heldLock: HeldLock | undefined
  return {
    name: root,
    list: () => attempt('list', root, () => unless(['ENOENT'], files.readdir(root))),
    async file(path) {
      pathInside(root, path)
      const names = await attempt('list', root, () => unless(['ENOENT'], files.readdir(root)))
      if (names === undefined) return undefined
      await expectRealFolders(files, root, posix.dirname(path))
      return await (await localFiles(root)).file(path)
    },
    async write(path, content) {
      const full = pathInside(root, path)
      await heldLock?.expectHeld()
      await makeFolder(files, root)
      await makeRealFolder(files, root, posix.dirname(path))
      await writeWhole(files, full, content)
    },
    async exclusively(work) {
      const lock = await takeLockPatiently(files, join(root, LOCK), sleep)
      heldLock = lock
      try {
        return await work()
      } finally {
        heldLock = undefined
        await lock.release()
      }
    },
  }
}

async function takeLockPatiently(
  files: FileSystem,
  path: string,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<HeldLock> {
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
      await removeAbandoned(files, path)
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
    async remove() {
      await attempt('delete', path, () => unless(['ENOENT'], files.unlink(path)))
      // The working folder, as `.`, is an invalid argument.
      const kept = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM', 'EINVAL']
      await unless(kept, files.rmdir(dirname(path)))
    },
  }
}

async function makeFolder(files: FileSystem, path: string): Promise<void> {
  await attempt('create the folder', path, async () => {
    // Node's recursive mkdir fails with ENOENT on a read-only file system, and makeAll ignores a file in place of
    // the folder.
    await makeAll(files, path)
    await files.mkdir(path, {recursive: true})
  })
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
