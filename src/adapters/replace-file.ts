import {createHash, randomBytes} from 'node:crypto'
import {rmSync} from 'node:fs'
import {lstat} from 'node:fs/promises'
import {hostname} from 'node:os'
import {basename, dirname, join} from 'node:path'
import {type FileSystem, unless} from './file-system.js'

/** Milliseconds after its last write until an unfinished file counts as abandoned. */
const ABANDONED_AFTER = 10 * 60 * 1000

/**
 * Writes a file beside `path` and renames it into place, so that readers see the old or the new content. An unfinished
 * file is removed on failure, when the process is interrupted, and, after a kill, by the next call for the same path.
 */
export async function replaceFile(
  files: Pick<FileSystem, 'readdir' | 'rename' | 'unlink'>,
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<void> {
  await removeAbandoned(files, path)
  const unfinished = join(dirname(path), `${prefixOf(path)}${tokenOf(process.pid)}${SUFFIX}`)
  const removeAtExit = () => removeNow(unfinished)
  process.once('exit', removeAtExit)
  try {
    await write(unfinished)
    await files.rename(unfinished, path)
  } catch (error) {
    await files.unlink(unfinished).catch(() => undefined) // the first failure is the one to report
    throw error
  } finally {
    process.off('exit', removeAtExit)
  }
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

/** Removes the unfinished files of earlier calls for a path that were killed. */
export async function removeAbandoned(
  files: Pick<FileSystem, 'readdir' | 'unlink'>,
  path: string,
): Promise<void> {
  const folder = dirname(path)
  const prefix = prefixOf(path)
  for (const name of (await files.readdir(folder).catch(() => [])) as string[]) {
    if (!name.startsWith(prefix) || !name.endsWith(SUFFIX)) continue
    const token = name.slice(prefix.length, -SUFFIX.length)
    if (!TOKEN.test(token)) continue
    const stats = await unless(['ENOENT'], lstat(join(folder, name)))
    if (stats?.isFile() === true && (isOfEndedProcess(token) || Date.now() - stats.mtimeMs > ABANDONED_AFTER))
      await files.unlink(join(folder, name)).catch(() => undefined) // another process may have been faster
  }
}

function removeNow(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // The process is already ending for another reason.
  }
}
