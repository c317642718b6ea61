import {entryHashIn, entryTag, isEntryTag, isYankTag, yankTag} from '../entry/entry-tag.js'
import {MAX_SNAPSHOT_BYTES} from './artifact.js'
import type {IndexReading} from './index-reading.js'
import {keepDocument, type KeepPorts} from './keep-document.js'
import type {Partition} from './layout.js'
import {PartitionSnapshots, type ReadSnapshot} from './partition-snapshots.js'
import {isYank, lineText, type Snapshot, snapshotDocument, type SnapshotLine} from './snapshot-document.js'
import {checkEntryCount, VersionReader} from './version-reader.js'

/** Fewer entries are read one by one as quickly. */
export const MIN_SNAPSHOT_LINES = 16

/** The rest of the limit is for the header. */
const MAX_LINE_BYTES = MAX_SNAPSHOT_BYTES - 1024 * 1024

/** The known content of tags. */
export type KnownLines = ReadonlyMap<string, SnapshotLine>

/**
 * Writes a snapshot of the entries and yanks of one group or package that are in no snapshot, if there are at least 16,
 * and returns their number. It takes over the lines of snapshots that are not larger, and supersedes these: the number
 * of current snapshots grows with the logarithm of the number of entries, and so does the number of copies of an entry.
 * Nothing is rewritten, and entries that others publish at the same time are in the next snapshot.
 */
export async function compactPartition(
  reading: IndexReading,
  partition: Partition,
  ports: KeepPorts,
  knownLines: KnownLines = new Map(),
): Promise<number> {
  const tags = await reading.tagsOn(partition)
  const requested = entriesAndYanks(tags)
  if (requested.length < MIN_SNAPSHOT_LINES) return 0
  const snapshots = new PartitionSnapshots(reading, partition, tags)
  const missing = new Set(requested)
  await snapshots.load(missing)
  if (missing.size < MIN_SNAPSHOT_LINES) return 0
  const reader = new VersionReader(reading)
  for (const tag of requested) {
    const line = snapshots.line(tag) ?? knownLines.get(tag)
    if (line !== undefined) reader.know(partition, tag, line)
  }
  const {summaries, yanked} = await reader.read([checkEntryCount({partition, tags: requested})])
  const lines = [...summaries, ...yanked].map((line): [string, SnapshotLine] => [tagOf(line), line])
  const fresh = new Map(lines.filter(([tag]) => missing.has(tag)))
  if (fresh.size < MIN_SNAPSHOT_LINES) return 0
  for (const snapshot of merged(split(fresh), snapshots.current, new Set(tags))) {
    const {tag, bytes} = snapshotDocument(snapshot)
    const document = {kind: 'snapshot', tag: `${partition.prefix}${tag}`, bytes} as const
    await keepDocument(ports, partition.repository, document)
  }
  return fresh.size
}

/** All entries, and the yanks of these. */
function entriesAndYanks(tags: readonly string[]): string[] {
  const entries = tags.filter(isEntryTag)
  const hashes = new Set(entries.map(entryHashIn))
  return [...entries, ...tags.filter(tag => isYankTag(tag) && hashes.has(entryHashIn(tag)))]
}

function tagOf(line: SnapshotLine): string {
  return isYank(line) ? yankTag(line) : entryTag(line)
}

type Lines = ReadonlyMap<string, SnapshotLine>

/** Lines in parts that each fit into a snapshot. */
function split(lines: Lines): readonly Lines[] {
  const parts = [new Map<string, SnapshotLine>()]
  let bytes = 0
  for (const [tag, line] of lines) {
    const size = bytesOf([line])
    if (bytes + size > MAX_LINE_BYTES) {
      parts.push(new Map())
      bytes = 0
    }
    parts.at(-1)?.set(tag, line)
    bytes += size
  }
  return parts
}

/**
 * Returns the parts as snapshots. The last one takes over the existing snapshots that are not larger and fit into it.
 */
function merged(
  parts: readonly Lines[],
  current: readonly ReadSnapshot[],
  listed: ReadonlySet<string>,
): readonly Snapshot[] {
  const lines = new Map(parts.at(-1))
  const supersedes: string[] = []
  for (const snapshot of [...current].sort((a, b) => a.lines.size - b.lines.size)) {
    if (snapshot.lines.size > lines.size) break
    if (bytesOf([...lines.values(), ...snapshot.lines.values()]) > MAX_LINE_BYTES) continue
    for (const [tag, line] of snapshot.lines) if (listed.has(tag) && !lines.has(tag)) lines.set(tag, line)
    supersedes.push(snapshot.tag, ...snapshot.supersedes)
  }
  const stillListed = [...new Set(supersedes)].filter(tag => listed.has(tag))
  return [
    ...parts.slice(0, -1).map(part => ({lines: part, supersedes: []})),
    {lines, supersedes: stillListed},
  ]
}

function bytesOf(lines: readonly SnapshotLine[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(lineText(line)) + 1, 0)
}
