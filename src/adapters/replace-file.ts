import {createHash, randomBytes} from 'node:crypto'
import {rmSync} from 'node:fs'
import {lstat} from 'node:fs/promises'
import {hostname} from 'node:os'
import {basename, dirname, join} from 'node:path'
import {type FileSystem, unless} from './file-system.js'

/** Milliseconds after its last write until an unfinished file counts as abandoned. */
const ABANDONED_AFTER = 10 * 60 * 1000

/** The names in the folder of an unfinished file. */
const [CONTENT, IGNORED] = ['content', '.gitignore']

/**
 * Writes a file in a folder beside `path` and renames it into place, so that readers see the old or the new content. The
 * folder is removed on failure, when the process is interrupted, and, after a kill, by the next call for the same path.
 * Git ignores it, so that what a kill leaves is not committed.
 */
export async function replaceFile(
  files: Omit<FileSystem, 'lstat'>,
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  await removeAbandoned(files, path)
  const folder = join(dirname(path), `${prefixOf(path)}${tokenOf(process.pid)}${SUFFIX}`)
  const removeAtExit = () => removeNow(folder)
  process.once('exit', removeAtExit)
  try {
    await files.mkdir(folder, FOLDER_MODE)
    await ignore(files, folder)
    await write(join(folder, CONTENT))
    await files.rename(join(folder, CONTENT), path)
    await removeFolder(files, folder)
  } catch (error) {
    await removeFolder(files, folder) // the first failure is the one to report
    throw error
  } finally {
    process.off('exit', removeAtExit)
  }
}

const FOLDER_MODE = 0o700

/** Git reads the file, and ignores all of the folder, also the file itself. */
async function ignore(files: Pick<FileSystem, 'open'>, folder: string): Promise<void> {
  const file = await files.open(join(folder, IGNORED), 'wx')
  try {
    await file.writeFile('*\n')
  } finally {
    await file.close()
  }
}

/** Removes the folder of an unfinished file, as far as it is possible: the next call removes the rest. */
async function removeFolder(files: Pick<FileSystem, 'rmdir' | 'unlink'>, folder: string): Promise<void> {
  // Git ignores the content until the last moment.
  for (const name of [CONTENT, IGNORED]) await files.unlink(join(folder, name)).catch(() => undefined)
  await files.rmdir(folder).catch(() => undefined)
}

/** A token with this machine and a process, so that an unfinished file of a process that ended is recognized at once. */
function tokenOf(pid: number): string {
  return `${machine()}${pid.toString(16).padStart(8, '0')}${randomBytes(2).toString('hex')}`
}

function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 4)
}

/** Reports whether a token is of a process of this machine that no longer runs. */
function isOfEndedProcess(token: string): boolean {
  if (!token.startsWith(machine())) return false
  try {
    process.kill(Number.parseInt(token.slice(4, 12), 16), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

const SUFFIX = '.tmp'
const TOKEN = /^[0-9a-f]{16}$/

function prefixOf(path: string): string {
  return `.${basename(path)}.`
}

/** Removes the unfinished files of earlier calls for a path that were killed. Earlier versions had no folder for them. */
export async function removeAbandoned(
  files: Pick<FileSystem, 'readdir' | 'rmdir' | 'unlink'>,
  path: string,
): Promise<void> {
  const prefix = prefixOf(path)
  for (const name of (await files.readdir(dirname(path)).catch(() => [])) as string[]) {
    if (!name.startsWith(prefix) || !name.endsWith(SUFFIX)) continue
    const token = name.slice(prefix.length, -SUFFIX.length)
    if (TOKEN.test(token)) await removeUnlessInUse(files, join(dirname(path), name), token)
  }
}

async function removeUnlessInUse(
  files: Pick<FileSystem, 'rmdir' | 'unlink'>,
  path: string,
  token: string,
): Promise<void> {
  const stats = await unless(['ENOENT'], lstat(path))
  if (stats === undefined) return
  const isFolder = stats.isDirectory()
  const isOfNobody =
    isOfEndedProcess(token) || (await isOld(isFolder ? join(path, CONTENT) : path, stats.mtimeMs))
  if (isOfNobody && isFolder) await removeFolder(files, path)
  if (isOfNobody && stats.isFile()) await files.unlink(path).catch(() => undefined) // another process may have been faster
}

/** @param otherwise - the time of the last change, if the file does not exist yet. */
async function isOld(path: string, otherwise: number): Promise<boolean> {
  const stats = await unless(['ENOENT'], lstat(path))
  return Date.now() - (stats?.mtimeMs ?? otherwise) > ABANDONED_AFTER
}

function removeNow(path: string): void {
  try {
    rmSync(path, {recursive: true, force: true})
  } catch {
    // The process is already ending for another reason.
  }
}
