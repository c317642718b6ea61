import {CrossplaneError} from '../errors.js'
import {Allowance} from './allowance.js'
import {ByteCursor} from './byte-cursor.js'
import {SNIFF_BYTES, sniffCompression} from './compression.js'
import {memberPath} from './member-path.js'
import {quoted, shellWord} from '../text.js'
import type {SourceFile, SourceFiles} from './source-files.js'
import {SOURCE_LIMITS} from './source-limits.js'
import type {SourceLimits} from './source-limits.js'
import {tarEntries} from './tar-entries.js'
import type {TarEntry} from './tar-entries.js'

/**
 * The files inside a tar archive, found in one pass over its headers and read in place. Of members with one name the
 * last counts, as when the archive is unpacked, but a document that names images may have one only; links lead to other members. Throws `source-invalid` for a damaged
 * archive, `source-unsafe` for names that leave it, `unsupported` for a compressed one.
 */
export async function archiveFiles(
  archive: SourceFile,
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<SourceFiles> {
  if (archive.size === 0) {
    throw new CrossplaneError('source-invalid', `cannot read ${archive.name}: the file is empty`, {
      suggestions: ['Fetch or build it again.'],
    })
  }
  const members = await indexed(archive, limits)
  return {
    name: archive.name,
    file: path =>
      Promise.resolve(path).then(requested => memberFile(archive, members, requested, limits.linkSteps)),
  }
}

type Members = ReadonlyMap<string, TarEntry>

async function indexed(archive: SourceFile, limits: SourceLimits): Promise<Members> {
  const cursor = new ByteCursor(archive.read(), start => archive.read(Math.min(start, archive.size)))
  try {
    expectPlain(await cursor.peek(SNIFF_BYTES), archive.name)
    return await membersOf(cursor, archive, limits)
  } finally {
    await cursor.close()
  }
}

async function membersOf(cursor: ByteCursor, archive: SourceFile, limits: SourceLimits): Promise<Members> {
  const headers = new Allowance(limits.tarHeaders, 'tar headers')
  const members = new Map<string, TarEntry>()
  for await (const entry of tarEntries(cursor, archive.name, {headers, headerBytes: limits.tarHeaderBytes})) {
    if (entry.offset + entry.size > archive.size) throw cutOff(archive)
    const path = memberPath(entry.name, archive.name).join('/')
    if (DOCUMENTS.has(path) && members.has(path)) throw severalOf(path, archive)
    members.set(path, entry)
  }
  return members
}

/** What names images: of several, a program can read one and another program the other. */
const DOCUMENTS: ReadonlySet<string> = new Set(['index.json', 'oci-layout', 'manifest.json', 'repositories'])

function severalOf(path: string, {name}: SourceFile): CrossplaneError {
  return new CrossplaneError('source-invalid', `cannot read ${name}: it has ${path} twice`, {
    suggestions: ['Fetch or build it again.'],
  })
}

function memberFile(
  archive: SourceFile,
  members: Members,
  path: string,
  hops: number,
): SourceFile | undefined {
  const member = members.get(path)
  if (member === undefined) return undefined
  if (member.kind === 'file') return stretch(archive, path, member)
  const target = linkTarget(path, member)
  if (target === undefined || hops === 0) throw noFile(archive, path)
  return memberFile(archive, members, target, hops - 1)
}

/** docker save writes a layer once, and links to it from every other place: `../<id>/layer.tar`. */
function linkTarget(path: string, {kind, linkName}: TarEntry): string | undefined {
  if (kind === 'hardlink') return normalized(linkName.split('/'))
  return kind === 'symlink'
    ? normalized([...path.split('/').slice(0, -1), ...linkName.split('/')])
    : undefined
}

function normalized(segments: readonly string[]): string {
  const path: string[] = []
  for (const segment of segments) {
    if (segment === '..') path.pop()
    else if (segment !== '' && segment !== '.') path.push(segment)
  }
  return path.join('/')
}

function stretch(archive: SourceFile, path: string, {offset, size}: TarEntry): SourceFile {
  return {
    name: `${path} in ${archive.name}`,
    size,
    read: (start = 0, end = size) => archive.read(offset + start, offset + Math.min(end, size)),
  }
}

function expectPlain(start: Uint8Array, name: string): void {
  const compression = sniffCompression(start)
  if (compression === 'none') return
  const unpack = {gzip: 'gunzip', zstd: 'zstd -d', xz: 'xz -d', bzip2: 'bunzip2'}[compression]
  throw new CrossplaneError(
    'unsupported',
    `cannot read ${name}: it is compressed with ${compression}, but only uncompressed archives can be read`,
    {
      suggestions: [`${unpack} ${shellWord(name)}`],
    },
  )
}

function cutOff({name}: SourceFile): CrossplaneError {
  return new CrossplaneError('source-invalid', `cannot read ${name} as a tar archive: it is truncated`, {
    suggestions: ['Fetch or build it again.'],
  })
}

function noFile(archive: SourceFile, path: string): CrossplaneError {
  return new CrossplaneError(
    'source-invalid',
    `cannot read ${quoted(path)} in ${archive.name}: not a file, nor a link to one`,
  )
}
