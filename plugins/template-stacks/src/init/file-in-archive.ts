import {gunzipSync} from 'node:zlib'

const BLOCK = 512
/** Charts are small: Helm takes none of more than a mebibyte into a Secret. */
const MAX_BYTES = 20 * 1024 * 1024

/** Returns a file of a tar.gz archive by its path; undefined if it has none, or is no such archive. */
export function fileInArchive(archive: Uint8Array, path: string): Uint8Array | undefined {
  const tar = unpacked(archive)
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK)
    const size = Number.parseInt(textIn(header, 124, 12), 8)
    if (!(size >= 0)) return undefined
    const content = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (textIn(header, 0, 100) === path && content.length === size) return content
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return undefined
}

function unpacked(archive: Uint8Array): Buffer {
  try {
    return gunzipSync(archive, {maxOutputLength: MAX_BYTES})
  } catch {
    return Buffer.alloc(0)
  }
}

/** A field of a header, which ends with a zero byte. */
function textIn(header: Buffer, start: number, length: number): string {
  const [text = ''] = header.toString('latin1', start, start + length).split('\0', 1)
  return text.trim()
}
