import {randomUUID} from 'node:crypto'
import {type BigIntStats, lstatSync} from 'node:fs'
import type {FileStamps} from '../../commit/checkout.js'

/**
 * Returns a stamp of each of these files below `root`. Two equal ones mean that the file was not written in between, if a
 * program was started meanwhile: file systems keep times to some milliseconds. Where they keep seconds, no stamps are equal.
 */
export function fileStamps(paths: readonly string[], root: string): FileStamps {
  return new Map(paths.map(path => [path, stampAt(`${root}/${path}`)]))
}

function stampAt(path: string): string | undefined {
  try {
    // In the calling thread, as all work on single entries: a turn through the thread pool takes many times as long.
    const stats = lstatSync(path, {bigint: true, throwIfNoEntry: false})
    return stats && stampOf(stats)
  } catch {
    return randomUUID()
  }
}

const SECOND = 1_000_000_000n

function stampOf({ino, mode, size, mtimeNs, ctimeNs}: BigIntStats): string {
  if (mtimeNs % SECOND === 0n || ctimeNs % SECOND === 0n) return randomUUID()
  return [ino, mode, size, mtimeNs, ctimeNs].join(' ')
}
