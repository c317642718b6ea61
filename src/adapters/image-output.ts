import {randomBytes} from 'node:crypto'
import {rmSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import type {WritableFile, WritableFolder} from '../fetch/output-files.js'
import {CrossplaneError} from '../errors.js'
import {attempt, type FileSystem, kindOf, realFileSystem, unless} from './file-system.js'
import {takeLock} from './folder-lock.js'
import {localFile, localFiles} from './local-files.js'
import {thisProcess} from './lock-holder.js'
import {systemClock} from './system-clock.js'

/** Adding to a list takes no time: who holds the lock for so many waits of so many milliseconds is stuck. */
const TRIES = 200
const WAIT = 50
const LOCK = '.index.json.lock'

const FILE_MODE = 0o644
const FOLDER_MODE = 0o755

/** The folder at `root`. */
export function writableFolder(
  root: string,
  files: FileSystem = realFileSystem,
  sleep = (milliseconds: number) => systemClock.sleep(milliseconds),
): WritableFolder {
  return {
    name: root,
    list: () => attempt('look into', root, () => unless(['ENOENT'], files.readdir(root))),
    async file(path) {
      if ((await unless(['ENOENT'], files.readdir(root))) === undefined) return undefined
      return await (await localFiles(root)).file(path)
    },
    async write(path, content) {
      const full = join(root, path)
      await makeFolder(files, dirname(full))
      await replaceFile(files, full, content)
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

/** The file at `path`. */
export function writableFile(path: string, files: FileSystem = realFileSystem): WritableFile {
  return {
    name: path,
    async existing() {
      const kind = await attempt('look at', path, () => kindOf(files, path))
      if (kind === 'absent') return undefined
      if (kind === 'file') return await localFile(path)
      throw new CrossplaneError('output-refused', `Cannot write ${path}: what is there is no plain file.`, {
        suggestions: ['Name another file.'],
      })
    },
    async write(content) {
      await makeFolder(files, dirname(path))
      const beside = nameBeside(path)
      const tidy = () => removeNow(beside)
      process.once('exit', tidy)
      try {
        await replaceFile(files, path, content, beside)
      } finally {
        process.off('exit', tidy)
      }
    },
  }
}

/** Of a process that is interrupted nothing is left: no later one would know that it is not wanted. */
function removeNow(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // The process ends for another reason, which it has told.
  }
}

async function makeFolder(files: FileSystem, path: string): Promise<void> {
  await attempt('make the folder', path, () => files.mkdir(path, {recursive: true, mode: FOLDER_MODE}))
}

/** Written beside its place, brought to disk, and moved there; nothing is left beside it where that fails. */
async function replaceFile(
  files: FileSystem,
  path: string,
  content: AsyncIterable<Uint8Array>,
  beside = nameBeside(path),
): Promise<void> {
  try {
    await attempt('write', path, () => writeNew(files, beside, content))
    await attempt('write', path, () => files.rename(beside, path))
  } catch (error) {
    await files.unlink(beside).catch(() => undefined) // the first failure is the one to report
    throw error
  }
}

function nameBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
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
