import type {FileHandle} from 'node:fs/promises'

/** Fills `bytes` from the start of a file; a file that shrinks while it is read gives fewer. */
export async function readFully(handle: FileHandle, bytes: Uint8Array): Promise<Uint8Array> {
  let filled = 0
  while (filled < bytes.length) {
    const {bytesRead} = await handle.read(bytes, filled, bytes.length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
