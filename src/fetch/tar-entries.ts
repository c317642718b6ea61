import {CrossplaneError} from '../errors.js'
import type {Allowance} from './allowance.js'
import type {ByteCursor} from './byte-cursor.js'
import {BLOCK, hasContent, parseTarHeader, fieldText} from './tar-header.js'
import type {TarHeader} from './tar-header.js'
import {paxRecords, paxSparse} from './pax-records.js'
import type {PaxSparse} from './pax-records.js'

/** `other` stands for members that container runtimes do not unpack: sparse files, volume labels, global headers. */
type TarEntryKind = 'file' | 'directory' | 'symlink' | 'hardlink' | 'device' | 'fifo' | 'other'

/** One member of a tar. `offset` is where its content begins in the archive; sizes are in bytes. */
export interface TarEntry {
  readonly name: string
  readonly kind: TarEntryKind
  readonly linkName: string
  readonly size: number
  readonly offset: number
  /** Reads the whole content: once, and before the next entry is requested. */
  read(): Promise<Uint8Array>
}

/** Limits of a tar: `headers` counts headers of all kinds, `headerBytes` bounds an extended one. */
export interface TarBounds {
  readonly headers: Allowance
  readonly headerBytes: number
}

/**
 * Reads the entries of a tar in order, as the container runtimes' Go library does, so that an archive means the same
 * to both: `test/fetch/go-tar.real.test.ts` compares the two. Like it, this requires neither blocks of zeros at the
 * end nor padding after the last content: `umoci insert` omits both. Unlike it, this rejects data after those blocks
 * and an extended header without a member. `holder` names the tar in errors: `source-invalid` if it is damaged,
 * `limit-exceeded` beyond the limits. Reads `cursor` to its end and leaves it open.
 */
export async function* tarEntries(
  cursor: ByteCursor,
  holder: string,
  bounds: TarBounds,
): AsyncGenerator<TarEntry, void, undefined> {
  for (;;) {
    const member = await nextMember(cursor, holder, bounds)
    if (member === undefined) return
    const offset = cursor.position
    yield {
      ...member,
      offset,
      read: () => takeAll(cursor, member.size, holder),
    }
    if (member.size > 0) await skipContent(cursor, offset, member.size, holder)
  }
}

/** A member once its extended headers have been applied. */
type Member = Pick<TarEntry, 'name' | 'kind' | 'linkName' | 'size'>

const KINDS: Readonly<Record<string, TarEntryKind>> = {
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '3': 'device',
  '4': 'device',
  '5': 'directory',
  '6': 'fifo',
}

/** The fields that extended headers set for the next member. Of two of one type the later one counts. */
interface Extensions {
  readonly pax?: ReadonlyMap<string, string>
  readonly name?: string
  readonly linkName?: string
}

const EXTENSION_TYPES = ['x', 'g', 'K', 'L']

async function nextMember(
  cursor: ByteCursor,
  holder: string,
  bounds: TarBounds,
): Promise<Member | undefined> {
  let extensions: Extensions = {}
  for (;;) {
    const header = await nextHeader(cursor, holder)
    if (header === undefined) {
      if (Object.keys(extensions).length > 0) throw malformed(holder, 'it ends after an extended header')
      return undefined
    }
    bounds.headers.spend(1, holder)
    if (!EXTENSION_TYPES.includes(header.type)) {
      if (header.continues) await skipSparseMap(cursor, holder, bounds)
      return extended(header, extensions, holder)
    }
    const content = await extendedContent(cursor, header.size, holder, bounds)
    // Go's reader returns a global header as a member, and discards what came before it.
    if (header.type === 'g') return globalHeader(header, content, holder)
    extensions = {...extensions, ...extensionOf(header.type, content, holder)}
  }
}

function extensionOf(type: string, content: Uint8Array, holder: string): Extensions {
  if (type === 'K') return {linkName: fieldText(content)}
  if (type === 'L') return {name: fieldText(content)}
  return {pax: checkedRecords(content, holder)}
}

function checkedRecords(content: Uint8Array, holder: string): ReadonlyMap<string, string> {
  const records = paxRecords(content)
  if (records === undefined) throw malformed(holder, 'an extended header cannot be parsed')
  return records
}

/** Container runtimes ignore global headers. */
function globalHeader(header: TarHeader, content: Uint8Array, holder: string): Member {
  const name = stated(checkedRecords(content, holder).get('path')) ?? header.name
  return {name, kind: 'other', linkName: '', size: 0}
}

async function extendedContent(
  cursor: ByteCursor,
  size: number,
  holder: string,
  bounds: TarBounds,
): Promise<Uint8Array> {
  expectHeaderBytes(size, bounds.headerBytes, holder)
  const content = await takeAll(cursor, size, holder)
  await cursor.skip(paddingOf(size))
  return content
}

/** Applies extended headers. GNU's long names take precedence over pax records, the name of a sparse file over both. */
function extended(header: TarHeader, {pax = NO_RECORDS, ...gnu}: Extensions, holder: string): Member {
  const name = stated(gnu.name, pax.get('path')) ?? header.name
  const type = typeOf(header, name)
  const sparse = sparseOf({...header, type}, pax, holder)
  return {
    name: sparse?.name ?? name,
    kind: sparse === undefined ? (KINDS[type] ?? 'other') : 'other',
    linkName: stated(gnu.linkName, pax.get('linkpath')) ?? header.linkName,
    size: hasContent(type) ? sizeOf(header, pax, holder) : 0,
  }
}

const NO_RECORDS: ReadonlyMap<string, string> = new Map()

/** The first of the values that is not empty: an empty one leaves the header's own in place. */
function stated(...values: readonly (string | undefined)[]): string | undefined {
  return values.find(value => value !== undefined && value !== '')
}

/** Undefined for a file that is not sparse. */
function sparseOf(
  {type, format}: TarHeader,
  pax: ReadonlyMap<string, string>,
  holder: string,
): PaxSparse | undefined {
  if (type === 'S') {
    if (format !== 'gnu') throw malformed(holder, 'a sparse file is not in GNU format')
    return {}
  }
  const sparse = paxSparse(pax)
  if (sparse?.name !== undefined && !hasContent(type)) throw malformed(holder, 'a sparse file is not a file')
  return sparse
}

function sizeOf(header: TarHeader, pax: ReadonlyMap<string, string>, holder: string): number {
  const text = stated(pax.get('size'))
  const size = text === undefined ? header.size : Number(text)
  if (Number.isSafeInteger(size)) return size
  throw malformed(holder, 'an extended header states an impossible size')
}

/** Before there was a type for directories, a trailing slash marked one. */
function typeOf({type}: TarHeader, name: string): string {
  if (type !== '\0') return type
  return name.endsWith('/') ? '5' : '0'
}

/** The next header block, or undefined at the end of the archive, after which only zeros may follow. */
async function nextHeader(cursor: ByteCursor, holder: string): Promise<TarHeader | undefined> {
  const block = await cursor.take(BLOCK)
  if (block.length === 0) return undefined
  if (block.length < BLOCK) throw isNotTar(cursor, block) ? notTar(holder) : truncated(holder)
  if (isZero(block)) return await expectOnlyZeros(cursor, holder)
  const header = parseTarHeader(block)
  if (header !== undefined) return header
  if (isNotTar(cursor, block)) throw notTar(holder)
  throw malformed(holder, `the header at byte ${cursor.position - BLOCK} is damaged`)
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html: `ustar` header block. */
const MAGIC = Buffer.from('ustar')
const MAGIC_OFFSET = 257

/** Reports whether a block that is not a header is the first one, and does not begin like a tar: a text, or a web page. */
function isNotTar({position}: ByteCursor, block: Uint8Array): boolean {
  const magic = block.subarray(MAGIC_OFFSET, MAGIC_OFFSET + MAGIC.length)
  return position === block.length && !MAGIC.equals(magic)
}

/** https://www.gnu.org/software/tar/manual/html_node/Sparse-Formats.html: each block says whether one more follows. */
async function skipSparseMap(cursor: ByteCursor, holder: string, {headerBytes}: TarBounds): Promise<void> {
  let more = true
  for (let bytes = BLOCK; more; bytes += BLOCK) {
    expectHeaderBytes(bytes, headerBytes, holder)
    more = (await takeAll(cursor, BLOCK, holder))[504] !== 0
  }
}

function expectHeaderBytes(bytes: number, limit: number, holder: string): void {
  if (bytes <= limit) return
  throw new CrossplaneError(
    'limit-exceeded',
    `cannot read ${holder}: it has an extended tar header of ${bytes} bytes; at most ${limit} are read`,
  )
}

async function expectOnlyZeros(cursor: ByteCursor, holder: string): Promise<undefined> {
  const end = cursor.position
  for await (const chunk of cursor.rest()) {
    if (!isZero(chunk)) throw malformed(holder, 'data follows the end of the archive')
  }
  const rest = cursor.position - end
  if (rest > 0 && rest < BLOCK) throw truncated(holder)
}

async function skipContent(cursor: ByteCursor, offset: number, size: number, holder: string): Promise<void> {
  const missing = offset + size - cursor.position
  if ((await cursor.skip(missing)) < missing) throw truncated(holder)
  await cursor.skip(paddingOf(size))
}

async function takeAll(cursor: ByteCursor, length: number, holder: string): Promise<Uint8Array> {
  const bytes = await cursor.take(length)
  if (bytes.length < length) throw truncated(holder)
  return bytes
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

const ZEROS = Buffer.alloc(64 * 1024)

/** Compares with a block of zeros, which is many times faster than a loop over bytes. */
function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length)
    if (ZEROS.compare(part, 0, part.length, 0, part.length) !== 0) return false
  }
  return true
}

function truncated(holder: string): CrossplaneError {
  return malformed(holder, 'it is truncated')
}

function notTar(holder: string): CrossplaneError {
  return new CrossplaneError('source-invalid', `cannot read ${holder}: it is not a tar archive`, {
    suggestions: ['Check its path, or fetch or build it again.'],
  })
}

function malformed(holder: string, cause: string): CrossplaneError {
  return new CrossplaneError('source-invalid', `cannot read ${holder} as a tar archive: ${cause}`, {
    suggestions: ['Fetch or build it again.'],
  })
}
