import {CrossplaneError} from '../../errors.js'
import {hexHashOf} from '../hex-hash.js'
import {
  ENTRY_KIND,
  entryOf,
  entryText,
  type IndexedSummary,
  YANK_KIND,
  yankOf,
  yankText,
} from '../entry/entry-document.js'
import {entryTag, yankTag} from '../entry/entry-tag.js'
import {FieldCheck} from '../entry/field-check.js'
import {INDEX_FORMAT, isReadable, MAX_DOCUMENT_BYTES, parseDocument} from '../entry/read-document.js'
import {LineCutter} from '../file/line-cutter.js'
import type {YankedVersion} from '../summaries.js'
import {MAX_SNAPSHOT_BYTES} from './artifact.js'

const SNAPSHOT_KIND = 'PackageSnapshot'
const HASH_LENGTH = 40
/** No tag of an entry has this form: those have a dash before the hash. */
const SNAPSHOT_TAG = /^snapshot\.([1-9][0-9]{0,6})\.([0-9a-f]{40})$/
const MAX_SUPERSEDED = 10_000
/** More entries than this do not fit into a snapshot, nor belong to one group. */
const MAX_LINES = 50_000
const MAX_UNREADABLE = 100

/** A line of a snapshot: the content of one tag. */
export type SnapshotLine = IndexedSummary | YankedVersion

/** Many entries and yanks of one group or package in one document. */
export interface Snapshot {
  /** By the tag of the entry or yank. */
  readonly lines: ReadonlyMap<string, SnapshotLine>
  /** The tags of all earlier snapshots whose lines this one contains. */
  readonly supersedes: readonly string[]
}

/** A snapshot as JSON lines with its tag: a header, then the entries and yanks sorted by their tags. */
export function snapshotDocument({lines, supersedes}: Snapshot): {
  readonly tag: string
  readonly bytes: Uint8Array
} {
  const header = {formatVersion: INDEX_FORMAT, kind: SNAPSHOT_KIND, supersedes: [...supersedes].sort()}
  const texts = [...lines.keys()].sort().flatMap(tag => {
    const line = lines.get(tag)
    return line === undefined ? [] : [lineText(line)]
  })
  const bytes = Buffer.from([JSON.stringify(header), ...texts, ''].join('\n'))
  return {tag: `snapshot.${texts.length}.${hexHashOf(bytes, HASH_LENGTH)}`, bytes}
}

export function lineText(line: SnapshotLine): string {
  return isYank(line) ? yankText(line) : entryText(line)
}

export function isYank(line: SnapshotLine): line is YankedVersion {
  return 'reason' in line
}

export function isEntry(line: SnapshotLine): line is IndexedSummary {
  return !isYank(line)
}

/** Returns the number of lines of a snapshot, by its tag; undefined for any other tag. */
export function snapshotSize(tag: string): number | undefined {
  const [, size] = SNAPSHOT_TAG.exec(tag) ?? []
  return size === undefined || Number(size) > MAX_LINES ? undefined : Number(size)
}

/**
 * Reads a snapshot that any publisher may have written. Each line is filed under the tag that its own identity, tag,
 * version and digest hash to, so a snapshot cannot replace one version by another. Lines that contradict each other
 * are omitted, as are up to 100 unreadable lines: their tags are read instead. Throws `index-invalid` for bytes that
 * do not match the snapshot's tag.
 */
export function readSnapshot(tag: string, bytes: Uint8Array): Snapshot {
  const [, , hash] = SNAPSHOT_TAG.exec(tag) ?? []
  if (bytes.length > MAX_SNAPSHOT_BYTES || hash !== hexHashOf(bytes, HASH_LENGTH)) {
    throw invalid(tag, 'its content does not match its tag')
  }
  const [header, ...rest] = cutLines(tag, bytes)
  const supersedes = readHeader(tag, header)
  return {lines: readLines(tag, rest), supersedes}
}

/** Returns the lines of a snapshot, at most as many as its tag states. */
function cutLines(tag: string, bytes: Uint8Array): readonly Uint8Array[] {
  const size = snapshotSize(tag) ?? 0
  const chunks: Uint8Array[] = []
  for (const line of new LineCutter(MAX_DOCUMENT_BYTES).cut(bytes)) {
    chunks.push(line)
    if (chunks.length > size + 1) break
  }
  if (chunks.length === size + 1) return chunks
  throw invalid(tag, 'its number of lines does not match its tag')
}

function readLines(tag: string, texts: readonly Uint8Array[]): ReadonlyMap<string, SnapshotLine> {
  const lines = new Map<string, SnapshotLine>()
  const contradicted = new Set<string>()
  let unreadable = 0
  for (const text of texts) {
    const read = readLine(text)
    if (read === undefined) {
      unreadable += 1
      if (unreadable > MAX_UNREADABLE) throw invalid(tag, `more than ${MAX_UNREADABLE} lines cannot be read`)
      continue
    }
    const [key, line] = read
    const earlier = lines.get(key)
    if (earlier !== undefined && lineText(earlier) !== lineText(line)) contradicted.add(key)
    lines.set(key, line)
  }
  for (const key of contradicted) lines.delete(key)
  return lines
}

function readHeader(tag: string, bytes: Uint8Array = new Uint8Array()): readonly string[] {
  const check = new FieldCheck({file: tag})
  const document = parseDocument(bytes, check)
  const isKnown = document !== undefined && isReadable(document, SNAPSHOT_KIND, check)
  const supersedes = isKnown ? check.list(document.supersedes, 'supersedes', MAX_SUPERSEDED) : []
  const [first] = check.diagnostics
  if (first !== undefined) throw invalid(tag, first.message)
  return supersedes.filter(supersede => typeof supersede === 'string')
}

/** One line with the tag that it belongs to; undefined for a line that cannot be read. */
function readLine(bytes: Uint8Array): readonly [tag: string, line: SnapshotLine] | undefined {
  const check = new FieldCheck({})
  const document = parseDocument(bytes, check)
  if (document === undefined) return undefined
  if (document.kind === YANK_KIND) {
    const yanked = yankOf(document, check)
    return yanked === undefined || check.diagnostics.length > 0 ? undefined : [yankTag(yanked), yanked]
  }
  if (document.kind !== ENTRY_KIND) return undefined
  const entry = entryOf(document, check)
  if (entry?.digest === undefined || check.diagnostics.length > 0) return undefined
  const indexed = {...entry, digest: entry.digest}
  return [entryTag(indexed), indexed]
}

function invalid(tag: string, reason: string): CrossplaneError {
  return new CrossplaneError('index-invalid', `cannot read the snapshot ${tag}: ${reason}`)
}
