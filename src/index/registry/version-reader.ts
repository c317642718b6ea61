import {CrossplaneError} from '../../errors.js'
import {formatRepository} from '../../reference/repository.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {count} from '../../text.js'
import {grouped} from '../../grouped.js'
import {type IndexedSummary, readEntry, readYank} from '../entry/entry-document.js'
import {entryTag, isEntryTag, isYankTag, yankTag} from '../entry/entry-tag.js'
import type {Found, UnreadablePackage, YankedVersion} from '../summaries.js'
import {summaryText} from '../summary-of.js'
import {brokenDocument} from './broken-document.js'
import type {IndexReading} from './index-reading.js'
import type {Partition} from './layout.js'
import {PartitionSnapshots} from './partition-snapshots.js'
import {isEntry, isYank, type SnapshotLine} from './snapshot-document.js'

/** A group or package with its tags, without their prefix. */
export interface FilledPartition {
  readonly partition: Partition
  readonly tags: readonly string[]
}

/** Versions in a registry, where each has a digest. */
interface FoundEntries extends Found {
  readonly summaries: readonly IndexedSummary[]
}

/** Concurrent requests. */
const MAX_READS = 8
/** Versions of all packages of one group. */
const MAX_ENTRIES = 20_000
/** All documents that are read one by one, which are kept in memory; an index file has the same limit. */
const MAX_BYTES = 256 * 1024 * 1024
/** With no more entries missing than this, they are read one by one rather than from snapshots. */
const MAX_SINGLE_READS = 8

/** The result of reading one tag: exactly one of the others. */
interface Outcome<T> {
  readonly place: Place
  readonly read?: T
  readonly unreadable?: UnreadablePackage
  readonly missing?: string
}

/** The properties and functions for reading documents of one kind. */
interface Kind<T extends SnapshotLine> {
  readonly name: 'entry' | 'yank'
  readonly read: (tag: string, bytes: Uint8Array, partition: Partition) => T
  readonly is: (line: SnapshotLine) => line is T
}

const ENTRY: Kind<IndexedSummary> = {name: 'entry', read: readEntryOf, is: isEntry}
const YANK: Kind<YankedVersion> = {name: 'yank', read: readYankOf, is: isYank}

/** Reads the versions of an index; a version with the same entry in several places is one object. */
export class VersionReader {
  readonly #reading: IndexReading
  /** By partition and tag. */
  readonly #lines = new Map<string, SnapshotLine>()
  readonly #snapshots = new Map<string, PartitionSnapshots>()
  /** The last entry that was read under a tag in any partition. */
  readonly #lastOf = new Map<string, IndexedSummary>()
  /** Tags of entries and yanks that were requested, and those that are done. */
  #requested = 0
  #done = 0
  #bytes = 0

  constructor(reading: IndexReading) {
    this.#reading = reading
  }

  /**
   * Reads all versions of these partitions. Documents that cannot be read or do not belong in their place are returned as
   * unreadable; tags of other kinds, and yanks of absent entries, are ignored. Throws as the registry does, and `offline`.
   */
  async read(partitions: readonly FilledPartition[]): Promise<FoundEntries> {
    for (const {partition, tags} of partitions) this.#snapshotsOf(partition, tags)
    const entries = await this.#all(ENTRY, placesOf(partitions, isEntryTag))
    const summaries = this.#withoutWrong(entries).flatMap(({read}) => read ?? [])
    const yankTags = new Set(summaries.map(yankTag))
    const yanks = await this.#all(
      YANK,
      placesOf(partitions, tag => isYankTag(tag) && yankTags.has(tag)),
    )
    return {
      summaries,
      unreadable: [...entries, ...yanks].flatMap(({unreadable}) => unreadable ?? []),
      yanked: yanks.flatMap(({read}) => read ?? []),
    }
  }

  /**
   * Drops entries that a correction names where another entry of the same repository describes the same bytes, and none
   * names that one: such an entry is wrong about the version. One alone is kept, so that no version can be hidden.
   */
  #withoutWrong(outcomes: readonly Outcome<IndexedSummary>[]): readonly Outcome<IndexedSummary>[] {
    const described = new Set(
      outcomes.flatMap(({place, read}) =>
        read && !this.#isCorrected(place, read) ? [bytesOf(place, read)] : [],
      ),
    )
    return outcomes.filter(
      ({place, read}) =>
        read === undefined || !this.#isCorrected(place, read) || !described.has(bytesOf(place, read)),
    )
  }

  #isCorrected({partition, tag}: Place, line: SnapshotLine): boolean {
    return this.#snapshotsOf(partition).corrections.name(tag, line)
  }

  /** Takes the known content of a tag, so that it is not read. */
  know(partition: Partition, tag: string, line: SnapshotLine): void {
    this.#lines.set(keyOf({partition, tag}), isYank(line) ? line : this.#once(tag, line))
  }

  #snapshotsOf(partition: Partition, tags: readonly string[] = []): PartitionSnapshots {
    const cached = this.#snapshots.get(partition.name)
    const snapshots = cached ?? new PartitionSnapshots(this.#reading, partition, tags)
    this.#snapshots.set(partition.name, snapshots)
    return snapshots
  }

  async #all<T extends SnapshotLine>(kind: Kind<T>, places: readonly Place[]): Promise<Outcome<T>[]> {
    this.#requested += places.length
    await this.#prepare(kind, places)
    const outcomes = new Map<Place, Outcome<T>>()
    await mapConcurrent(places, MAX_READS, async place => {
      outcomes.set(place, await this.#outcome(kind, place))
      this.#done += 1
    })
    const all = places.flatMap(place => outcomes.get(place) ?? [])
    const missing = all.flatMap(({missing}) => missing ?? [])
    if (missing.length > 0) throw this.#reading.missing(missing)
    return all
  }

  /** Takes the tags of the cache and snapshots; the rest are read one by one. */
  async #prepare<T extends SnapshotLine>(kind: Kind<T>, places: readonly Place[]): Promise<void> {
    const unknown = places.filter(place => !this.#lines.has(keyOf(place)))
    const byPartition = grouped(unknown, ({partition}) => partition.name)
    await mapConcurrent([...byPartition.values()], MAX_READS, async group => {
      const partition = group[0]?.partition
      if (partition === undefined) return
      const snapshots = this.#snapshotsOf(partition)
      const missing = new Set(group.map(({tag}) => tag))
      await snapshots.recall(missing)
      const fromSnapshots = group.flatMap(({tag}) => snapshots.line(tag) ?? [])
      await this.#recall(kind, partition, missing, fromSnapshots)
      if (missing.size > MAX_SINGLE_READS) await snapshots.load(missing)
      for (const {tag} of group) {
        const line = snapshots.line(tag)
        if (line !== undefined && kind.is(line)) this.know(partition, tag, line)
      }
    })
  }

  /**
   * Takes tags that were read one by one before. Content that a correction names is read again, unless it is dropped
   * anyway; offline, it is what the registry had last.
   */
  async #recall<T extends SnapshotLine>(
    kind: Kind<T>,
    partition: Partition,
    missing: Set<string>,
    fromSnapshots: readonly SnapshotLine[],
  ): Promise<void> {
    const corrected: (readonly [tag: string, line: T])[] = []
    const described = new Set(fromSnapshots.map(line => bytesOf({partition}, line)))
    const take = (tag: string, line: T) => {
      this.know(partition, tag, line)
      missing.delete(tag)
    }
    await mapConcurrent([...missing], MAX_READS, async tag => {
      const line = await this.#reading.remembered(partition, tag, bytes => kind.read(tag, bytes, partition))
      if (line === undefined) return
      if (this.#reading.isOnline && this.#isCorrected({partition, tag}, line)) {
        corrected.push([tag, line])
        return
      }
      take(tag, line)
      described.add(bytesOf({partition}, line))
    })
    for (const [tag, line] of corrected) if (described.has(bytesOf({partition}, line))) take(tag, line)
  }

  async #outcome<T extends SnapshotLine>(kind: Kind<T>, place: Place): Promise<Outcome<T>> {
    const {partition, tag} = place
    const about = {identity: formatRepository(partition.repository), tag: `${partition.prefix}${tag}`}
    const line = this.#lines.get(keyOf(place))
    if (line !== undefined && kind.is(line)) return {place, read: line}
    if (this.#bytes > MAX_BYTES) throw this.#reading.tooLarge(MAX_BYTES)
    try {
      const read = await this.#load(kind, place)
      if (read !== undefined) return {place, read}
      const refusal = await this.#reading.refusal(partition, tag)
      return refusal === undefined
        ? {place, missing: about.tag}
        : {place, unreadable: {...about, reason: refusal}}
    } catch (error) {
      const reason = reasonOf(brokenDocument(error))
      await this.#reading.rememberRejection(partition, tag, reason)
      return {place, unreadable: {...about, reason}}
    }
  }

  /** Undefined offline. */
  async #load<T extends SnapshotLine>(kind: Kind<T>, place: Place): Promise<T | undefined> {
    const {partition, tag} = place
    const bytes = await this.#reading.document(partition, tag, kind.name)
    if (bytes === undefined) return undefined
    this.#bytes += bytes.length
    this.#reading.report(this.#done + 1, this.#requested)
    const line = kind.read(tag, bytes, partition)
    await this.#reading.remember(partition, tag, bytes)
    this.know(partition, tag, line)
    const cachedLine = this.#lines.get(keyOf(place))
    return cachedLine !== undefined && kind.is(cachedLine) ? cachedLine : line
  }

  #once(tag: string, read: IndexedSummary): IndexedSummary {
    const last = this.#lastOf.get(tag)
    if (last !== undefined && summaryText(last) === summaryText(read)) return last
    this.#lastOf.set(tag, read)
    return read
  }
}

interface Place {
  readonly partition: Partition
  readonly tag: string
}

function placesOf(partitions: readonly FilledPartition[], isMeant: (tag: string) => boolean): Place[] {
  return partitions.flatMap(({partition, tags}) => tags.filter(isMeant).map(tag => ({partition, tag})))
}

function keyOf({partition, tag}: Place): string {
  return `${partition.name}:${tag}`
}

/** Identifies the bytes that a line of a group or package is about. */
function bytesOf({partition}: Pick<Place, 'partition'>, {identity, tag, digest}: SnapshotLine): string {
  return [partition.name, identity, tag, digest].join('\n')
}

/** Returns a partition with up to 20,000 entries; throws `limit-exceeded` for more. */
export function checkEntryCount(filled: FilledPartition): FilledPartition {
  const {partition, tags} = filled
  const entries = tags.filter(isEntryTag).length
  if (entries <= MAX_ENTRIES) return filled
  throw new CrossplaneError(
    'limit-exceeded',
    `${formatRepository(partition.repository)} has ${count(entries, 'version')} for ${partition.name}; the limit is ${MAX_ENTRIES}`,
    {
      suggestions: [
        'Create an index of the packages that you use: kubectl crossplane registry index rebuild --help',
      ],
    },
  )
}

function readEntryOf(tag: string, bytes: Uint8Array, partition: Partition): IndexedSummary {
  const read = readEntry(tag, bytes)
  if (entryTag(read) !== tag)
    throw invalid(`its tag is not the tag of ${read.identity}:${read.tag}, its content`)
  if (!partition.holds(read))
    throw invalid(`${read.identity}:${read.tag} does not belong to ${partition.name}`)
  return read
}

function readYankOf(tag: string, bytes: Uint8Array): YankedVersion {
  const read = readYank(tag, bytes)
  if (yankTag(read) !== tag)
    throw invalid(`its tag is not the yank tag of ${read.identity}:${read.tag}, its content`)
  return read
}

function invalid(reason: string): CrossplaneError {
  return new CrossplaneError('index-invalid', reason)
}

function reasonOf({message, diagnostics: [first]}: CrossplaneError): string {
  return (first?.message ?? message).replace(/\.$/, '')
}
