/** Detects the compression of bytes from their beginning. */
export type Compression = 'gzip' | 'zstd' | 'xz' | 'bzip2' | 'none'

/** The number of bytes that `sniffCompression` requires. */
export const SNIFF_BYTES = 6

const ANY = undefined

const MAGIC: readonly (readonly [Compression, readonly (number | undefined)[]])[] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [0x42, 0x5a, 0x68, ANY, 0x31, 0x41]],
]

/**
 * Detects the compression of data from its first bytes, as container runtimes do: media types and file names are often
 * wrong. No tar starts with any of these, except one whose first file has a name like that.
 */
export function sniffCompression(start: Uint8Array): Compression {
  const match = MAGIC.find(([, magic]) => magic.every((byte, at) => byte === ANY || start[at] === byte))
  return match?.[0] ?? (beginsWithSkippableFrame(start) ? 'zstd' : 'none')
}

/** RFC 8878 §3.1.2: a zstd stream may begin with a frame for other readers, 0x184D2A50 to 0x184D2A5F. */
function beginsWithSkippableFrame(start: Uint8Array): boolean {
  const [low = 0, ...high] = start.subarray(0, 4)
  return low >> 4 === 5 && [0x2a, 0x4d, 0x18].every((byte, at) => high[at] === byte)
}
