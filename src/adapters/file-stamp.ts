import type {BigIntStats} from 'node:fs'
import type {FileStamp} from '../commit/output-folder.js'

/** The coarsest times that file systems have: those of FAT. A file that changed before that cannot change again without another time. */
const COARSEST = 2_000_000_000n

/** Returns what a file system says of a file without reading it. @param now - in milliseconds since the epoch. */
export function fileStamp({size, mtimeNs, ctimeNs, ino}: BigIntStats, now = Date.now()): FileStamp {
  const content = `${size} ${mtimeNs} ${ino}`
  const changedAt = mtimeNs > ctimeNs ? mtimeNs : ctimeNs
  const isSettled = changedAt + COARSEST < BigInt(now) * 1_000_000n
  return {content, text: `${content} ${ctimeNs}`, changedAt, isSettled}
}
