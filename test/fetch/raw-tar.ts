/** The fields of a tar header that tests set. Texts for numbers are written as they are. */
export interface RawHeader {
  readonly name: string
  readonly type?: string
  readonly size?: number | string
  readonly linkName?: string
  readonly magic?: 'ustar' | 'gnu' | 'v7' | 'star'
  readonly prefix?: string
  readonly checksum?: string
}

const BLOCK = 512

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK)

/**
 * One member, written byte by byte rather than by a library, so that it can be as wrong as a test wants. The size is
 * that of the content unless given.
 */
export function member(header: RawHeader, content: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(content)
  const padding = Buffer.alloc(-bytes.length & (BLOCK - 1))
  return Buffer.concat([tarHeader({size: bytes.length, ...header}), bytes, padding])
}

/** A whole tar of such members. */
export function rawTar(...members: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...members, TAR_END])
}

/** A tar of files given by name; a name with a slash at its end is a directory. */
export function tarOfFiles(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const members = Object.entries(files).map(([name, content]) =>
    member({name, type: name.endsWith('/') ? '5' : '0'}, content),
  )
  return rawTar(...members)
}

/** A pax record: its length counts itself. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const length = Buffer.byteLength(rest)
  const digits = String(length + String(length).length).length
  return `${length + digits}${rest}`
}

/** An extended header of pax in front of a member. */
export function withPax(records: Readonly<Record<string, string>>, next: Uint8Array): Buffer {
  const content = Object.entries(records).map(([key, value]) => paxRecord(key, value))
  return Buffer.concat([member({name: 'PaxHeader', type: 'x'}, content.join('')), next])
}

export function tarHeader(header: RawHeader): Buffer {
  const {name, type = '0', size = 0, linkName = '', prefix = '', magic = 'ustar'} = header
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, 100)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(typeof size === 'number' ? `${size.toString(8).padStart(11, '0')}\0` : size, 124, 12, 'latin1')
  block.write('00000000000\0', 136)
  block.write(type, 156, 1, 'latin1')
  block.write(linkName, 157, 100)
  block.write({ustar: 'ustar\x0000', gnu: 'ustar  \0', v7: '', star: 'ustar\x0000'}[magic], 257, 'latin1')
  block.write(prefix, 345, 155)
  if (magic === 'star') block.write('tar\0', 508)
  block.write(header.checksum ?? `${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1')
  return block
}

function checksum(block: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0
  return sum
}

/** The same header block (the first of `header`) with its checksum made to hold again. */
export function resummed(header: Buffer): Buffer {
  header.write('        ', 148)
  const sum = header.subarray(0, BLOCK).reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
