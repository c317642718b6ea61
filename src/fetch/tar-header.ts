/** The size of a tar block: a header is one, content is padded to whole ones. */
export const BLOCK = 512

/** One header block. `size` is that of the content that follows, in bytes, for any type. */
export interface TarHeader {
  readonly name: string
  readonly type: string
  readonly size: number
  readonly linkName: string
  readonly format: TarFormat
  /** An old GNU sparse header continues in further blocks. */
  readonly continues: boolean
}

type TarFormat = 'v7' | 'ustar' | 'star' | 'gnu'

/**
 * Parses a header block as `readHeader` of Go's archive/tar does, because container runtimes unpack with it: v7, ustar,
 * pax, star and GNU, checksums signed or unsigned, and the same fields checked. Undefined for anything else.
 * https://github.com/golang/go/blob/go1.26.0/src/archive/tar/reader.go
 */
export function parseTarHeader(block: Uint8Array): TarHeader | undefined {
  const format = formatOf(block)
  const size = numberField(block, SIZE)
  if (!checksumHolds(block) || size === undefined || !numbersAreValid(block, format)) return undefined
  const prefix = prefixOf(block, format)
  const name = textField(block, 0, 100)
  const type = String.fromCharCode(block[156] ?? 0)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type,
    size,
    linkName: textField(block, 157, 100),
    format,
    continues: type === 'S' && block[482] !== 0,
  }
}

/** Links, devices, directories and fifos have no content, even with a size (POSIX allows links to state one). */
export function hasContent(type: string): boolean {
  return !/^[1-6]$/.test(type)
}

/** A field: where it starts in the block, and its length. */
type Field = readonly [start: number, length: number]

const SIZE: Field = [124, 12]
const CHECKSUM: Field = [148, 8]
/** Mode, uid, gid and mtime. */
const V7_NUMBERS: readonly Field[] = [
  [100, 8],
  [108, 8],
  [116, 8],
  [136, 12],
]
/** Major and minor device numbers. */
const DEVICE_NUMBERS: readonly Field[] = [
  [329, 8],
  [337, 8],
]
/** Access and change time, which GNU and star keep in different places. */
const GNU_TIMES: readonly Field[] = [
  [345, 12],
  [357, 12],
]
const STAR_TIMES: readonly Field[] = [
  [476, 12],
  [488, 12],
]

function formatOf(block: Uint8Array): TarFormat {
  const magic = rawText(block, 257, 6)
  if (magic === 'ustar\0') return rawText(block, 508, 4) === 'tar\0' ? 'star' : 'ustar'
  return magic === 'ustar ' && rawText(block, 263, 2) === ' \0' ? 'gnu' : 'v7'
}

function numbersAreValid(block: Uint8Array, format: TarFormat): boolean {
  const areNumbers = (fields: readonly Field[]) => fields.every(field => isNumber(block, field))
  return (
    areNumbers(V7_NUMBERS) &&
    (format === 'v7' || areNumbers(DEVICE_NUMBERS)) &&
    (format !== 'star' || areNumbers(STAR_TIMES))
  )
}

function prefixOf(block: Uint8Array, format: TarFormat): string {
  if (format === 'ustar') return textField(block, 345, 155)
  if (format === 'star') return textField(block, 345, 131)
  return format === 'gnu' ? prefixOfOldGo(block) : ''
}

/**
 * GNU headers have times in place of a prefix, but Go before 1.8 wrote a prefix there. Where the times cannot be read
 * and the prefix is ASCII, Go's reader uses it: https://golang.org/issue/21005
 */
function prefixOfOldGo(block: Uint8Array): string {
  const hasTimes = GNU_TIMES.every(
    ([start, length]) => block[start] === 0 || isNumber(block, [start, length]),
  )
  const prefix = hasTimes ? '' : textField(block, 345, 155)
  return /^[\0-\x7f]*$/.test(prefix) ? prefix : ''
}

function checksumHolds(block: Uint8Array): boolean {
  const stored = octal(block, CHECKSUM)
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

/** Old tools read bytes as signed, so each of these counted 256 less. */
function bytesAbove127(block: Uint8Array): number {
  let count = 0
  for (let at = 0; at < BLOCK; at++) if ((block[at] ?? 0) > 127 && (at < 148 || at >= 156)) count += 1
  return count
}

/** Octal digits, or GNU's base 256 under a high bit. Undefined for anything else, negative or above 2^53. */
function numberField(block: Uint8Array, field: Field): number | undefined {
  if (!isBase256(block, field)) return octal(block, field)
  const value = base256(block, field) ?? -1n
  return value >= 0n && value <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined
}

/** Reports whether Go can read a field as a number, negative ones included. */
function isNumber(block: Uint8Array, field: Field): boolean {
  return (isBase256(block, field) ? base256(block, field) : octal(block, field)) !== undefined
}

function isBase256(block: Uint8Array, [start]: Field): boolean {
  return ((block[start] ?? 0) & 0x80) !== 0
}

/** A number in two's complement, the first bit left out. Undefined where it does not fit in 64 bits. */
function base256(block: Uint8Array, [start, length]: Field): bigint | undefined {
  const isNegative = ((block[start] ?? 0) & 0x40) !== 0
  const inverse = isNegative ? 0xff : 0
  let value = BigInt(((block[start] ?? 0) ^ inverse) & 0x7f)
  for (let at = start + 1; at < start + length; at++) {
    value = value * 256n + BigInt((block[at] ?? 0) ^ inverse)
  }
  if (value >= 2n ** 63n) return undefined
  return isNegative ? -value - 1n : value
}

/** Digits between blanks and NULs, up to the first NUL; a field without digits is 0. Called for every header. */
function octal(block: Uint8Array, [start, length]: Field): number | undefined {
  let at = start
  let end = start + length
  while (at < end && isBlank(block[at])) at++
  while (at < end && isBlank(block[end - 1])) end--
  let value = 0
  for (; at < end && block[at] !== 0; at++) {
    const digit = (block[at] ?? 0) - 0x30
    if (digit < 0 || digit > 7) return undefined
    value = value * 8 + digit
  }
  return value
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0 || byte === 0x20
}

function textField(block: Uint8Array, start: number, length: number): string {
  return fieldText(block.subarray(start, start + length))
}

/** Text up to the first NUL. Bytes that are not UTF-8 become U+FFFD, which no valid name contains. */
export function fieldText(field: Uint8Array): string {
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
