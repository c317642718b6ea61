import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {formatRepository, type Repository} from '../../reference/repository.js'
import {entryBytes, type IndexedSummary, readEntry, readYank, yankBytes} from '../entry/entry-document.js'
import {entryHashIn, entryTag, yankTag} from '../entry/entry-tag.js'
import {formatSummary} from '../package-summary.js'
import type {YankedVersion} from '../summaries.js'
import {compactPartition, MIN_SNAPSHOT_LINES} from './compact-partition.js'
import {type CorrectedEntries, correctionOf, EntryCorrector, readableEntry} from './correct-entries.js'
import {IndexReading} from './index-reading.js'
import {type IndexLayout, type PartitionName, partitionsOf} from './layout.js'
import {IndexWriting} from './index-writing.js'
import type {KeepPorts, Kept, NewDocument} from './keep-document.js'
import type {SnapshotLine} from './snapshot-document.js'
import {quietPorts} from './quiet-ports.js'
import {unlistedTags} from './unlisted-tags.js'

/** Adds to an index; existing entries are changed only where their packages contradict them. */
export interface IndexWriter {
  /**
   * Adds a version to all of its groups and its package. Throws `access-denied` with all repositories that have to be
   * created, `usage` for a layout that the index does not have, `output-refused` where the entry of this version exists
   * with other content, unless `isRead` states that the package itself was read, `index-invalid` and `unsupported` for a version that no index can hold, and the errors of the
   * registry. Of a package that was read, what its groups and package say otherwise is corrected.
   */
  add(summary: IndexedSummary, options?: {readonly isRead?: boolean}): Promise<Kept>
  /** Yanks a version; the first reason counts. Throws `not-found` if it does not exist. */
  yank(yanked: YankedVersion, groups: readonly string[]): Promise<Exclude<Kept, 'replaced'>>
  /**
   * Writes snapshots of the groups and packages to which this writer added 16 or more entries, or one of a random
   * sixteenth of all entries, so that publishers who add one version at a time cause snapshots, too. Call it last.
   * Entries are complete without snapshots, so a failure is returned as a warning, and so are a registry that does not
   * list tags and other entries that were corrected.
   */
  finish(): Promise<readonly Diagnostic[]>
}

/** Writes to the index below a root, and creates it in this layout where there is none. */
export function indexWriter(root: Repository, ports: KeepPorts, layout: IndexLayout): IndexWriter {
  const quiet = quietPorts(ports)
  const writing = new IndexWriting(root, quiet, layout)
  const writtenLines = new WrittenLines()
  const corrector = new EntryCorrector(new IndexReading(root, quiet), quiet)
  const corrections: Diagnostic[] = []
  return {
    add: async (summary, {isRead = false} = {}) => {
      const partitions = partitionsOf(
        summary,
        summary.crds.map(({group}) => group),
      )
      const kept = await writing.add(
        `add ${formatSummary(summary)} to`,
        partitions,
        documentOf(summary, isRead),
      )
      writtenLines.note(partitions, entryTag(summary), summary, kept)
      if (!isRead) return kept
      const places = await writing.partitions(partitions)
      const corrected = await corrector.correct(places, summary, kept === 'added')
      corrections.push(...correctionWarnings(summary, corrected))
      return kept
    },
    yank: async (yanked, groups) => {
      const name = formatSummary(yanked)
      const tag = yankTag(yanked)
      const bytes = readable(name, yankBytes(yanked), readYank)
      const partitions = partitionsOf(yanked, groups)
      const kept = await writing.yank(`yank ${name} in`, partitions, {
        kind: 'yank',
        tag,
        bytes,
        isSame: existing => yankTag(readYank(name, existing)) === tag,
      })
      // An existing yank may have another reason.
      if (kept === 'present') return 'present'
      writtenLines.note(partitions, tag, yanked, kept)
      return 'added'
    },
    finish: async () => {
      const warnings: Diagnostic[] = [...corrections, ...(await unlistedTags(root, quiet.registry))]
      const reading = new IndexReading(root, quiet)
      for (const {name, lines} of writtenLines.due()) {
        try {
          for (const partition of await writing.partitions([name])) {
            await compactPartition(reading, partition, quiet, lines)
          }
        } catch (error) {
          warnings.push(notCompacted(root, name, error))
        }
      }
      return warnings
    },
  }
}

function documentOf(summary: IndexedSummary, isRead: boolean): NewDocument {
  const name = formatSummary(summary)
  const tag = entryTag(summary)
  const bytes = readable(name, entryBytes(summary), readEntry)
  return {
    kind: 'entry',
    tag,
    bytes,
    isSame: existing => Buffer.from(entryBytes(readEntry(name, existing))).equals(bytes),
    replaces: isRead,
    correctionOf: existing => {
      const entry = readableEntry(tag, existing)
      return entry && correctionOf(entry)
    },
  }
}

function correctionWarnings(
  summary: IndexedSummary,
  {versions, partial}: CorrectedEntries,
): readonly Diagnostic[] {
  const name = `${formatSummary(summary)}@${summary.digest}`
  const wrong = versions.map(version => ({
    severity: 'warning' as const,
    rule: 'index-entry-corrected',
    message: `another entry of ${name} had the version ${version}, which the package contradicts, and was marked as wrong: check the write access to the index`,
  }))
  const unchecked = partial.map(place => ({
    severity: 'warning' as const,
    rule: 'index-entries-unchecked',
    message: `${place} has too many entries of ${formatSummary(summary)} to compare them all with the package`,
  }))
  return [...wrong, ...unchecked]
}

interface Written {
  readonly name: PartitionName
  readonly lines: Map<string, SnapshotLine>
  added: number
  isSelected: boolean
}

/** The documents that a writer added to each group and package. */
class WrittenLines {
  readonly #byPartition = new Map<string, Written>()

  note(names: readonly PartitionName[], tag: string, line: SnapshotLine, kept: Kept): void {
    for (const name of names) {
      const partition = this.#byPartition.get(name.name) ?? {
        name,
        lines: new Map(),
        added: 0,
        isSelected: false,
      }
      this.#byPartition.set(name.name, partition)
      partition.lines.set(tag, line)
      if (kept === 'present') continue
      partition.added += 1
      // All publishers select the same entries, without reading the number of entries from the registry.
      partition.isSelected ||= entryHashIn(tag).startsWith('0')
    }
  }

  /** The groups and packages of which snapshots are to be written. */
  due(): readonly Written[] {
    return [...this.#byPartition.values()].filter(
      ({added, isSelected}) => isSelected || added >= MIN_SNAPSHOT_LINES,
    )
  }
}

function notCompacted(root: Repository, {name}: PartitionName, error: unknown): Diagnostic {
  if (!(error instanceof CrossplaneError)) throw error
  return {
    severity: 'warning',
    rule: 'index-snapshot',
    message: `cannot write a snapshot of ${name}: ${error.message}`,
    suggestions: [`kubectl crossplane registry index compact --index ${formatRepository(root)}`],
  }
}

/** Throws `index-invalid` for a document that its readers would reject. */
function readable(
  name: string,
  bytes: Uint8Array,
  read: (name: string, bytes: Uint8Array) => unknown,
): Uint8Array {
  try {
    read(name, bytes)
    return bytes
  } catch (cause) {
    if (!(cause instanceof CrossplaneError)) throw cause
    const {diagnostics} = cause
    throw new CrossplaneError('index-invalid', `cannot add ${name} to an index: its entry would be invalid`, {
      cause,
      diagnostics,
    })
  }
}
