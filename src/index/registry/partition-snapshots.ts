import type {IndexReading} from './index-reading.js'
import {Corrections} from './corrections.js'
import type {Partition} from './layout.js'
import {brokenDocument} from './broken-document.js'
import {
  isYank,
  lineText,
  readSnapshot,
  type Snapshot,
  type SnapshotLine,
  snapshotSize,
} from './snapshot-document.js'

/** The limits for reading snapshots of one group or package; beyond them, entries are read one by one. */
const MAX_SNAPSHOTS = 24
const MAX_BYTES = 128 * 1024 * 1024
/** The maximum number of snapshots to look up in the cache. */
const MAX_REMEMBERED = 64

/** No snapshot has this tag. */
const NO_TAG: Set<string> = new Set([''])

/** A snapshot that was read, with its tag. */
export interface ReadSnapshot extends Snapshot {
  readonly tag: string
}

/**
 * The snapshots of one group or package. They only save requests: the tags of entries and yanks alone decide which of
 * them exist, a line counts only for the tag that it hashes to, and a snapshot that cannot be read changes nothing.
 */
export class PartitionSnapshots {
  readonly #reading: IndexReading
  readonly #partition: Partition
  /** Lines that they name are not taken. */
  readonly corrections: Corrections
  /** Largest first, so that few are read. */
  readonly #tags: readonly string[]
  readonly #read: ReadSnapshot[] = []
  /** Snapshots that need not be read, or cannot be. */
  readonly #passed = new Set<string>()
  readonly #lines = new Map<string, SnapshotLine>()
  /** Tags with different content in two snapshots. */
  readonly #disputed = new Set<string>()
  #attempts = 0
  #bytes = 0

  constructor(reading: IndexReading, partition: Partition, tags: readonly string[]) {
    this.#reading = reading
    this.#partition = partition
    this.corrections = new Corrections(tags)
    this.#tags = tags.filter(tag => snapshotSize(tag) !== undefined).sort(byLargest)
  }

  /** The snapshots that were read and that no other one supersedes. */
  get current(): readonly ReadSnapshot[] {
    return this.#read.filter(({tag}) => !this.#passed.has(tag))
  }

  /** Returns the content of a tag, if a snapshot has it. */
  line(tag: string): SnapshotLine | undefined {
    return this.#disputed.has(tag) ? undefined : this.#lines.get(tag)
  }

  /** Returns every content that the snapshots that were read have for a tag. */
  contentsOf(tag: string): readonly SnapshotLine[] {
    return this.#read.flatMap(({lines}) => lines.get(tag) ?? [])
  }

  /** Reads the snapshots from the cache, while any of these tags is missing. */
  async recall(missing: Set<string>): Promise<void> {
    await this.#take(this.#tags.slice(0, MAX_REMEMBERED), missing, async tag => {
      return await this.#reading.remembered(this.#partition, tag, bytes => readSnapshot(tag, bytes))
    })
  }

  /** Reads all snapshots from the registry, within the same limits. */
  async loadAll(): Promise<void> {
    await this.load(NO_TAG)
  }

  /** Reads further snapshots from the registry, while any of these tags is missing. */
  async load(missing: Set<string>): Promise<void> {
    await this.#take(this.#tags, missing, async tag => {
      if (this.#attempts >= MAX_SNAPSHOTS || this.#bytes >= MAX_BYTES) return undefined
      this.#attempts += 1
      return await this.#load(tag)
    })
  }

  async #take(
    tags: readonly string[],
    missing: Set<string>,
    read: (tag: string) => Promise<Snapshot | undefined>,
  ): Promise<void> {
    for (const tag of tags) {
      if (missing.size === 0) return
      if (this.#passed.has(tag) || this.#read.some(other => other.tag === tag)) continue
      const snapshot = await read(tag)
      if (snapshot === undefined) continue
      this.#add(this.#withoutCorrected({tag, ...snapshot}))
      for (const text of snapshot.lines.keys()) if (this.line(text) !== undefined) missing.delete(text)
    }
  }

  async #load(tag: string): Promise<Snapshot | undefined> {
    try {
      const bytes = await this.#reading.document(this.#partition, tag, 'snapshot')
      if (bytes === undefined) return undefined
      this.#bytes += bytes.length
      const snapshot = readSnapshot(tag, bytes)
      await this.#reading.remember(this.#partition, tag, bytes)
      return snapshot
    } catch (error) {
      brokenDocument(error)
      this.#passed.add(tag)
      return undefined
    }
  }

  #withoutCorrected(snapshot: ReadSnapshot): ReadSnapshot {
    const kept = [...snapshot.lines].filter(([tag, line]) => !this.corrections.name(tag, line))
    return kept.length === snapshot.lines.size ? snapshot : {...snapshot, lines: new Map(kept)}
  }

  #add(snapshot: ReadSnapshot): void {
    this.#read.push(snapshot)
    for (const tag of snapshot.supersedes) this.#passed.add(tag)
    for (const [tag, line] of snapshot.lines) {
      if (!isYank(line) && !this.#partition.holds(line)) continue
      const earlier = this.#lines.get(tag)
      if (earlier !== undefined && lineText(earlier) !== lineText(line)) this.#disputed.add(tag)
      this.#lines.set(tag, line)
    }
  }
}

function byLargest(a: string, b: string): number {
  return (snapshotSize(b) ?? 0) - (snapshotSize(a) ?? 0) || (a < b ? -1 : 1)
}
