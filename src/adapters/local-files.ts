import {createReadStream} from 'node:fs'
import type {Stats} from 'node:fs'
import {stat} from 'node:fs/promises'
import {join} from 'node:path'
import {CrossplaneError} from '../errors.js'
import type {SourceFile, SourceFiles} from '../fetch/source-files.js'
import {cannotRead, isAbsent, nearPaths} from './cannot-read.js'

/** Opens a regular file on disk, such as an archive. Throws `not-found` for anything else. */
export async function localFile(path: string): Promise<SourceFile> {
  const stats = await statOf(path)
  if (stats?.isFile() === true) return sourceFile(path, stats)
  throw notThere('file', path, stats)
}

/** Opens the files below a directory on disk, such as an OCI layout. Throws `not-found`. */
export async function localFiles(directory: string): Promise<SourceFiles> {
  const stats = await statOf(directory)
  if (stats?.isDirectory() !== true) throw notThere('folder', directory, stats)
  return {
    name: directory,
    async file(path) {
      const inside = join(directory, path)
      const fileStats = await statOf(inside)
      return fileStats?.isFile() === true ? sourceFile(inside, fileStats) : undefined
    },
  }
}

function notThere(requested: 'file' | 'folder', path: string, stats: Stats | undefined): CrossplaneError {
  return new CrossplaneError('not-found', `cannot read the ${requested} ${path}: ${kindIn(stats)}`, {
    suggestions: stats === undefined ? nearPaths(path) : [],
  })
}

function kindIn(stats: Stats | undefined): string {
  if (stats === undefined) return 'no such file or directory'
  if (stats.isDirectory()) return 'is a directory'
  return stats.isFile() ? 'not a directory' : 'neither a regular file nor a directory'
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw cannotRead(path, error)
  }
}

function sourceFile(path: string, {size}: Stats): SourceFile {
  return {name: path, size, read: (start = 0, end = size) => readRange(path, start, end)}
}

/** Opens the file when the first byte is read; closes it after the last, or when the reader stops. */
async function* readRange(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (end <= start) return
  try {
    yield* createReadStream(path, {
      start,
      end: end - 1,
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Uint8Array>
  } catch (error) {
    throw cannotRead(path, error)
  }
}
