import {readSync} from 'node:fs'

/** Fills `bytes` from the start of an open file; a file that shrinks while it is read gives fewer. */
export function readFully(file: number, bytes: Uint8Array): Uint8Array {
  let filled = 0
  while (filled < bytes.length) {
    const length = readSync(file, bytes, filled, bytes.length - filled, filled)
    if (length === 0) break
    filled += length
  }
  return bytes.subarray(0, filled)
}
