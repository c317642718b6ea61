import {CrossplaneError} from '../errors.js'
import type {Allowance} from './allowance.js'
import type {ByteCursor} from './byte-cursor.js'
import {BLOCK, hasContent, parseTarHeader, textOf} from './tar-header.js'
import type {TarHeader} from './tar-header.js'
import {paxRecords} from './pax-records.js'

/** `other` is what POSIX leaves to vendors: sparse files, volume labels. */
type TarEntryKind = 'file' | 'directory' | 'symlink' | 'hardlink' | 'device' | 'fifo' | 'other'

/** One member of a tar. `offset` is where its content begins in the archive; sizes are in bytes. */
export interface TarEntry {
  readonly name: string
  readonly kind: TarEntryKind
  readonly linkName: string
  readonly size: number
  readonly offset: number
  /** The content, whole. Once, and before the next entry is asked for. */
  read(): Promise<Uint8Array>
}

/** What a tar may cost: headers of all kinds in `headers`, and so many bytes for an extended one. */
export interface TarBounds {
  readonly headers: Allowance
  readonly headerBytes: number
}

/**
 * The entries of a tar in their order, read as the container runtimes' Go library reads them, so that no archive means
 * one thing here and another there. Like it, this asks for no blocks of zeros at the end, nor for the last content to
 * be padded: `umoci insert` leaves out both. Unlike it, this refuses what follows those blocks. `holder` names the tar
 * in errors: `source-invalid` where it is damaged, `limit-exceeded` beyond the bounds. Reads `cursor` to its end and
 * leaves it open.
 */
export async function* tarEntries(
  cursor: ByteCursor,
  holder: string,
  bounds: TarBounds,
): AsyncGenerator<TarEntry, void, undefined> {
  for (;;) {
    const header = await nextMember(cursor, holder, bounds)
    if (header === undefined) return
    const offset = cursor.position
    yield {
      name: header.name,
      kind: kindOf(header),
      linkName: header.linkName,
      size: header.size,
      offset,
      read: () => takeAll(cursor, header.size, holder),
    }
    await skipContent(cursor, offset, header.size, holder)
  }
}

const KINDS: Readonly<Record<string, TarEntryKind>> = {
  '0': 'file',
  '1': 'hardlink',
  '2': 'symlink',
  '3': 'device',
  '4': 'device',
  '5': 'directory',
  '6': 'fifo',
  '7': 'file',
}

/** Before there was a type for directories, a slash at the end made one. */
function kindOf({type, name}: TarHeader): TarEntryKind {
  if (type === '\0') return name.endsWith('/') ? 'directory' : 'file'
  return KINDS[type] ?? 'other'
}

/** What extended headers say about the member after them, in place of its own header. */
interface Extension {
  readonly name?: string
  readonly linkName?: string
  readonly size?: string
  readonly sparse?: true
}

/** GNU's long names outdo pax records; a global pax header is passed over, as Go's users do. */
const EXTENSIONS: Readonly<Record<string, (content: Uint8Array) => Extension | undefined>> = {
  g: content => (paxRecords(content) === undefined ? undefined : {}),
  x: paxExtension,
  K: content => ({linkName: textOf(content)}),
  L: content => ({name: textOf(content)}),
}

function paxExtension(content: Uint8Array): Extension | undefined {
  const records = paxRecords(content)
  if (records === undefined) return undefined
  const [name, linkName, size] = ['path', 'linkpath', 'size'].map(key => records.get(key))
  if ([name, linkName].some(text => text?.includes('\0'))) return undefined
  return {
    ...(name !== undefined && {name}),
    ...(linkName !== undefined && {linkName}),
    ...(size !== undefined && {size}),
    ...([...records.keys()].some(key => key.startsWith('GNU.sparse.')) && {sparse: true}),
  }
}

async function nextMember(
  cursor: ByteCursor,
  holder: string,
  bounds: TarBounds,
): Promise<TarHeader | undefined> {
  const extensions = new Map<string, Extension>()
  for (;;) {
    const header = await nextHeader(cursor, holder)
    if (header !== undefined) bounds.headers.spend(1, holder)
    const extend = EXTENSIONS[header?.type ?? '']
    if (header === undefined || extend === undefined) return extended(header, extensions, holder)
    const extension = extend(await extendedContent(cursor, header.size, holder, bounds))
    if (extension === undefined) throw malformed(holder, 'an extended header cannot be read')
    extensions.set(header.type, extension)
  }
}

async function extendedContent(
  cursor: ByteCursor,
  size: number,
  holder: string,
  bounds: TarBounds,
): Promise<Uint8Array> {
  if (size > bounds.headerBytes) {
    throw new CrossplaneError(
      'limit-exceeded',
      `${holder} has an extended tar header of ${size} bytes; at most ${bounds.headerBytes} are read.`,
    )
  }
  const content = await takeAll(cursor, size, holder)
  await cursor.skip(paddingOf(size))
  return content
}

function extended(
  header: TarHeader | undefined,
  extensions: ReadonlyMap<string, Extension>,
  holder: string,
): TarHeader | undefined {
  if (header === undefined) {
    if ([...extensions.keys()].some(type => type !== 'g'))
      throw malformed(holder, 'it ends after an extended header')
    return undefined
  }
  if (extensions.size === 0) return header
  const {size, sparse, ...names} = ['x', 'K', 'L'].reduce<Extension>(
    (all, type) => ({...all, ...extensions.get(type)}),
    {},
  )
  return {
    ...header,
    ...names,
    ...(size !== undefined && hasContent(header.type) && {size: decimal(size, holder)}),
    ...(sparse === true && {type: SPARSE}),
  }
}

/** A file with holes, of which the archive holds only the rest. */
const SPARSE = 'S'

function decimal(text: string, holder: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw malformed(holder, 'an extended header gives an impossible size')
}

/** The next header block, or undefined at the end of the archive, behind which nothing but zeros may follow. */
async function nextHeader(cursor: ByteCursor, holder: string): Promise<TarHeader | undefined> {
  if ((await cursor.peek(1)).length === 0) return undefined
  const block = await takeAll(cursor, BLOCK, holder)
  if (isZero(block)) return await expectOnlyZeros(cursor, holder)
  const header = parseTarHeader(block)
  if (header === undefined)
    throw malformed(holder, `the header at byte ${cursor.position - BLOCK} is damaged`)
  if (header.continues) await skipSparseMap(cursor, holder)
  return header
}

/** https://www.gnu.org/software/tar/manual/html_node/Sparse-Formats.html: each block says whether one more follows. */
async function skipSparseMap(cursor: ByteCursor, holder: string): Promise<void> {
  for (let more = true; more;) more = (await takeAll(cursor, BLOCK, holder))[504] !== 0
}

async function expectOnlyZeros(cursor: ByteCursor, holder: string): Promise<undefined> {
  for await (const chunk of cursor.rest()) {
    if (!isZero(chunk)) throw malformed(holder, 'something follows the end of the archive')
  }
}

async function skipContent(cursor: ByteCursor, offset: number, size: number, holder: string): Promise<void> {
  const missing = offset + size - cursor.position
  if ((await cursor.skip(missing)) < missing) throw malformed(holder, 'it is cut off')
  await cursor.skip(paddingOf(size))
}

async function takeAll(cursor: ByteCursor, length: number, holder: string): Promise<Uint8Array> {
  const bytes = await cursor.take(length)
  if (bytes.length < length) throw malformed(holder, 'it is cut off')
  return bytes
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

const ZEROS = Buffer.alloc(64 * 1024)

/** By comparison with zeros, which is many times faster than to look at each byte. */
function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += ZEROS.length) {
    const part = bytes.subarray(at, at + ZEROS.length)
    if (ZEROS.compare(part, 0, part.length, 0, part.length) !== 0) return false
  }
  return true
}

function malformed(holder: string, how: string): CrossplaneError {
  return new CrossplaneError('source-invalid', `${holder} is no sound tar archive: ${how}.`, {
    suggestions: ['Fetch or build it again.'],
  })
}
