import {entryText, type IndexedSummary, readEntry} from '../entry/entry-document.js'
import {correctionTag, entryTag, isEntryTag, isSameReadable} from '../entry/entry-tag.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {brokenDocument} from './broken-document.js'
import type {IndexReading} from './index-reading.js'
import {keepCorrection, type KeepPorts} from './keep-document.js'
import type {Partition} from './layout.js'
import {PartitionSnapshots} from './partition-snapshots.js'
import {isEntry} from './snapshot-document.js'
import {isUnlisted} from './unlisted-tags.js'

/** Entries that are read in one place to compare them with a package. */
const MAX_COMPARED = 64
/** Concurrent requests. */
const MAX_READS = 8

/** What was found wrong beside an entry. */
export interface CorrectedEntries {
  /** The versions that other entries state for the same bytes, as far as they were not corrected before. */
  readonly versions: readonly string[]
  /** The groups and packages with too many entries to compare. */
  readonly partial: readonly string[]
}

/** The tags and snapshots of a group or package. */
interface Listed {
  readonly tags: readonly string[]
  readonly snapshots: PartitionSnapshots
}

/** Corrects what an index says about packages that were read; tags are listed, and snapshots are read, once. */
export class EntryCorrector {
  readonly #reading: IndexReading
  readonly #ports: KeepPorts
  readonly #listed = new Map<string, Promise<Listed>>()

  constructor(reading: IndexReading, ports: KeepPorts) {
    this.#reading = reading
    this.#ports = ports
  }

  /**
   * Names what is wrong beside the entry of a package: other entries for the same bytes, which state another version, and
   * if the entry is not new, other content in snapshots. Nothing is corrected in a registry that does not list tags.
   */
  async correct(
    partitions: readonly Partition[],
    actual: IndexedSummary,
    isNew: boolean,
  ): Promise<CorrectedEntries> {
    const versions = new Set<string>()
    const partial: string[] = []
    for (const partition of partitions) {
      const {tags, snapshots} = await this.#list(partition)
      const own = entryTag(actual)
      const similar = tags.filter(tag => tag !== own && isEntryTag(tag) && isSameReadable(tag, own)).sort()
      const compared = similar.slice(0, MAX_COMPARED)
      if (compared.length < similar.length) partial.push(partition.name)
      if (!isNew) await snapshots.loadAll()
      const others = await this.#others(partition, compared)
      const stated = [own, ...compared].flatMap(tag => snapshots.contentsOf(tag).filter(isEntry))
      for (const entry of [...others, ...stated]) {
        if (!isSameBytes(entry, actual) || entryText(entry) === entryText(actual)) continue
        const kept = await this.#keep(partition, entry)
        if (kept === 'added' && entry.version !== actual.version) versions.add(entry.version)
      }
    }
    return {versions: [...versions].sort(), partial}
  }

  #list(partition: Partition): Promise<Listed> {
    const listed = this.#listed.get(partition.name) ?? this.#read(partition)
    this.#listed.set(partition.name, listed)
    return listed
  }

  async #read(partition: Partition): Promise<Listed> {
    const tags = await listedTags(this.#reading, partition)
    return {tags, snapshots: new PartitionSnapshots(this.#reading, partition, tags)}
  }

  async #others(partition: Partition, tags: readonly string[]): Promise<readonly IndexedSummary[]> {
    const others: IndexedSummary[] = []
    await mapConcurrent(tags, MAX_READS, async tag => {
      const other = await readOther(this.#reading, partition, tag)
      if (other !== undefined) others.push(other)
    })
    return others
  }

  async #keep({repository, prefix}: Partition, entry: IndexedSummary): ReturnType<typeof keepCorrection> {
    return await keepCorrection(this.#ports, repository, `${prefix}${correctionOf(entry)}`)
  }
}

async function listedTags(reading: IndexReading, partition: Partition): Promise<readonly string[]> {
  try {
    return await reading.tagsOn(partition)
  } catch (error) {
    if (isUnlisted(error)) return []
    throw error
  }
}

async function readOther(
  reading: IndexReading,
  partition: Partition,
  tag: string,
): Promise<IndexedSummary | undefined> {
  try {
    const bytes = await reading.document(partition, tag, 'entry')
    return bytes && readableEntry(tag, bytes)
  } catch (error) {
    brokenDocument(error)
    return undefined
  }
}

/** Reads an entry that others wrote; undefined for one that cannot be read or does not belong under its tag: readers report it. */
export function readableEntry(tag: string, bytes: Uint8Array): IndexedSummary | undefined {
  try {
    const read = readEntry(tag, bytes)
    return entryTag(read) === tag ? read : undefined
  } catch (error) {
    brokenDocument(error)
    return undefined
  }
}

/** The tag that names this content of an entry as wrong. */
export function correctionOf(entry: IndexedSummary): string {
  return correctionTag(entryTag(entry), entryText(entry))
}

function isSameBytes(one: IndexedSummary, other: IndexedSummary): boolean {
  return one.identity === other.identity && one.tag === other.tag && one.digest === other.digest
}
