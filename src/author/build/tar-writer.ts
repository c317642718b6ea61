import {CrossplaneError} from '../../errors.js'

/** A member of a tar to be written; `path` is relative, `/` between segments. `size` is in bytes, 0 for directories. */
export interface TarMember {
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly size: number
}

const BLOCK = 512
const NAME_BYTES = 100
/** The largest number of eleven octal digits: a size of 8 GiB, or a time in the year 2242. */
const MAX_NUMBER = 8 ** 11 - 1

/**
 * Returns the header of a member in the ustar format, after a pax header if a name is too long for it or not ASCII.
 * Owner and mode are always the same: root, 0644, 0755. `mtime` is in seconds since 1970.
 */
export function tarHeader({path, kind, size}: TarMember, mtime: number): Uint8Array {
  const name = kind === 'directory' ? `${path}/` : path
  const header = headerBlock({name, type: kind === 'directory' ? '5' : '0', size, mtime})
  return isPlainName(name) ? header : Buffer.concat([...paxHeader(name, mtime), header])
}

/** The padding of a member's content to a whole block. */
export function tarPadding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK)
}

/** The end of an archive. */
export function tarEnd(): Uint8Array {
  return new Uint8Array(2 * BLOCK)
}

function isPlainName(name: string): boolean {
  return name.length <= NAME_BYTES && /^[\x20-\x7e]+$/.test(name)
}

/** https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_03: a length that counts itself. */
function paxHeader(name: string, mtime: number): Uint8Array[] {
  const rest = ` path=${name}\n`
  const bytes = Buffer.byteLength(rest)
  const digits = String(bytes + String(bytes).length).length
  const content = Buffer.from(`${bytes + digits}${rest}`)
  return [
    headerBlock({name: 'PaxHeaders/path', type: 'x', size: content.length, mtime}),
    content,
    tarPadding(content.length),
  ]
}

interface HeaderFields {
  readonly name: string
  readonly type: '0' | '5' | 'x'
  readonly size: number
  readonly mtime: number
}

/** https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_06 */
function headerBlock({name, type, size, mtime}: HeaderFields): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  block.write(name.replace(/[^\x20-\x7e]/g, '_'), 0, NAME_BYTES, 'latin1')
  block.write(type === '5' ? '0000755\0' : '0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${octal(size, 'a size of')}\0`, 124)
  block.write(`${octal(mtime, 'a time of')}\0`, 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function octal(value: number, what: string): string {
  if (Number.isSafeInteger(value) && value >= 0 && value <= MAX_NUMBER)
    return value.toString(8).padStart(11, '0')
  throw new CrossplaneError('limit-exceeded', `a tar archive cannot hold ${what} ${value}`)
}

/** The sum of all bytes, with blanks in place of the field that holds it. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte) => sum + byte, 0)
}
