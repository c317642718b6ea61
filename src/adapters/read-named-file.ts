import {closeSync, constants, fstatSync, openSync, readdirSync, statSync} from 'node:fs'
import {Socket} from 'node:net'
import {CrossplaneError} from '../errors.js'
import {cannotRead} from './cannot-read.js'
import {readFully} from './read-fully.js'

/** Opening a FIFO without a writer must not block: a blocked open cannot be interrupted. */
const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK

/**
 * Reads a file that the user named, at most `limit` bytes. Only regular files are read: a device or a FIFO may never end.
 * Throws `not-found`, `read-failed` and `limit-exceeded`.
 */
export async function readNamedFile(path: string, limit: number): Promise<Uint8Array> {
  try {
    return await Promise.resolve(readRegular(path, limit))
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** Lists the names of the files in a folder; none if it does not exist. Throws `read-failed`. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await Promise.resolve(readdirSync(folder))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw cannotRead(folder, error)
  }
}

function readRegular(path: string, limit: number): Uint8Array {
  const file = openSync(path, READ_WITHOUT_WAITING)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw notRegular(path, stats.isDirectory())
    if (stats.size > limit) throw tooLarge(path, limit)
    return readFully(file, Buffer.alloc(stats.size))
  } finally {
    closeSync(file)
  }
}

/**
 * Reads a file as `readNamedFile` does, or a pipe to its end, such as the one of `<(command)` in a shell. Waits until a
 * process writes to a FIFO. The wait can be interrupted: it does not block a thread, which would keep this process from
 * exiting.
 */
export async function readNamedInput(path: string, limit: number): Promise<Uint8Array> {
  try {
    if (!statSync(path).isFIFO()) return readRegular(path, limit)
    return await readStream(openPipe(path), path, limit)
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** The stream owns the descriptor. A second one would miss a process that writes and ends before that is opened. */
function openPipe(path: string): Socket {
  const fd = openSync(path, READ_WITHOUT_WAITING)
  if (fstatSync(fd).isFIFO()) return new Socket({fd, readable: true, writable: false})
  closeSync(fd)
  throw notRegular(path, false)
}

/** Reads a stream to its end, such as standard input. Throws `limit-exceeded`. */
export async function readStream(
  stream: AsyncIterable<unknown>,
  name: string,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > limit) throw tooLarge(name, limit)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks, size)
}

function notRegular(path: string, isFolder: boolean): CrossplaneError {
  const reason = isFolder ? 'is a directory' : 'not a regular file'
  return new CrossplaneError('read-failed', `cannot read ${path}: ${reason}`)
}

function tooLarge(path: string, limit: number): CrossplaneError {
  const size = limit % MEBIBYTE === 0 ? `${limit / MEBIBYTE} MiB` : `${limit / 1024} KiB`
  return new CrossplaneError('limit-exceeded', `cannot read ${path}: larger than ${size}`)
}

const MEBIBYTE = 1024 * 1024
