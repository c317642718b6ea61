/** The size of a tar's unit: a header is one, content is padded to whole ones. */
export const BLOCK = 512

/** What one header block says. `size` is that of the content that follows, in bytes. */
export interface TarHeader {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly linkName: string
  /** An old GNU sparse header goes on in further blocks. */
  readonly continues: boolean
}

/**
 * Reads a header block as Go's archive/tar does, because that is what the container runtimes unpack with: v7, ustar,
 * pax, star and GNU alike, checksums signed or unsigned. Undefined where the block is no header.
 */
export function parseTarHeader(block: Uint8Array): TarHeader | undefined {
  const size = numberField(block, 124, 12)
  if (size === undefined || !checksumHolds(block)) return undefined
  const type = String.fromCharCode(block[156] ?? 0)
  const prefix = textField(block, ...prefixField(block))
  const name = textField(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type,
    size: hasContent(type) ? size : 0,
    linkName: textField(block, 157, 100),
    continues: type === 'S' && block[482] !== 0,
  }
}

/** Links, devices, directories and fifos have no content whatever their size says (POSIX lets links state one). */
export function hasContent(type: string): boolean {
  return !/^[1-6]$/.test(type)
}

/** Where ustar keeps the front of a long name: star has a shorter field there, GNU and v7 other things. */
function prefixField(block: Uint8Array): [start: number, length: number] {
  if (rawText(block, 257, 6) !== 'ustar\0') return [345, 0]
  return rawText(block, 508, 4) === 'tar\0' ? [345, 131] : [345, 155]
}

function checksumHolds(block: Uint8Array): boolean {
  const stored = numberField(block, 148, 8)
  const sum = checksum(block)
  return stored === sum || stored === sum - 256 * bytesAbove127(block)
}

/** The sum of all bytes, with blanks in place of the field that holds it. */
function checksum(block: Uint8Array): number {
  let sum = 8 * 0x20
  for (let at = 0; at < 148; at++) sum += block[at] ?? 0
  for (let at = 156; at < BLOCK; at++) sum += block[at] ?? 0
  return sum
}

/** Old tools took bytes for signed, so each of these counted 256 less. */
function bytesAbove127(block: Uint8Array): number {
  return block.reduce((count, byte, at) => (byte > 127 && (at < 148 || at >= 156) ? count + 1 : count), 0)
}

/** Octal digits, or GNU's base 256 under a high bit. Undefined for anything else, negative or above 2^53. */
function numberField(block: Uint8Array, start: number, length: number): number | undefined {
  if (((block[start] ?? 0) & 0x80) !== 0) return base256(block.subarray(start, start + length))
  const [, digits = ''] = /^[ \0]*([^ \0]*)/.exec(rawText(block, start, length)) ?? []
  if (digits === '') return 0
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

function base256(field: Uint8Array): number | undefined {
  const [first = 0, ...others] = field
  if ((first & 0x40) !== 0) return undefined
  const value = others.reduce((sum, byte) => sum * 256 + byte, first & 0x3f)
  return Number.isSafeInteger(value) ? value : undefined
}

function textField(block: Uint8Array, start: number, length: number): string {
  return textOf(block.subarray(start, start + length))
}

/** Text up to the first NUL. Bytes that are no UTF-8 become U+FFFD, which no honest name holds. */
export function textOf(field: Uint8Array): string {
  const end = field.indexOf(0)
  return bufferOf(field, 0, end === -1 ? field.length : end).toString('utf8')
}

function rawText(block: Uint8Array, start: number, length: number): string {
  return bufferOf(block, start, length).toString('latin1')
}

/** The same memory, in the class that can decode it. */
function bufferOf(bytes: Uint8Array, start: number, length: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, length)
}
