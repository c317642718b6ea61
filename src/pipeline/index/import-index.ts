import type {Diagnostic} from '../../diagnostic.js'
import type {IndexedSummary} from '../../index/entry/entry-document.js'
import {versionKey} from '../../index/joined-index.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import type {Kept} from '../../index/registry/keep-document.js'
import type {Found, YankedVersion} from '../../index/summaries.js'
import {formatRepository} from '../../reference/repository.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {SkippedPackage} from './add-to-index.js'
import {type IndexTarget, type IndexTargetPorts, openWriter} from './index-target.js'

/** The result of an import: numbers of entries and yanks. */
export interface ImportReport {
  /** The root of the index. */
  readonly index: string
  readonly added: number
  /** The number of entries and yanks that the index had before. */
  readonly present: number
  /** The number of yanks among these two. */
  readonly withdrawn: number
  /** Versions that are not in a registry. */
  readonly skipped: readonly SkippedPackage[]
  readonly warnings: readonly Diagnostic[]
}

/** Entries that are written concurrently. */
const MAX_WRITES = 4

/**
 * Adds all entries and yanks of a file to an index in a registry, without reading the packages. Throws the errors of
 * writing to an index; entries that were added before remain, and the same import adds the rest.
 */
export async function importIndex(
  {summaries, yanked}: Found,
  target: IndexTarget,
  ports: IndexTargetPorts,
): Promise<ImportReport> {
  const writer = await openWriter(target, ports)
  const name = formatRepository(target.root)
  const counts = {added: 0, present: 0}
  const indexed = summaries.filter(isIndexed)
  const [first, ...others] = indexed
  const total = indexed.length + yanked.length
  const count = (kept: Kept) => {
    counts[kept === 'present' ? 'present' : 'added'] += 1
    ports.report?.({kind: 'entry-written', name, done: counts.added + counts.present, total})
  }
  const add = async (summary: IndexedSummary) => count(await writer.add(summary))
  // The first entry creates the index, or fails once for all.
  if (first !== undefined) await add(first)
  await mapConcurrent(others, MAX_WRITES, add)
  const groups = new Map(summaries.map(summary => [versionKey(summary), groupsOf(summary)]))
  await mapConcurrent(yanked, MAX_WRITES, async (version: YankedVersion) => {
    count(await writer.yank(version, groups.get(versionKey(version)) ?? []))
  })
  const warnings = await writer.finish()
  return {
    index: name,
    ...counts,
    withdrawn: yanked.length,
    skipped: summaries
      .filter(summary => !isIndexed(summary))
      .map(summary => ({
        reference: formatSummary(summary),
        reason: 'it has no digest, as it comes from a folder',
      })),
    warnings,
  }
}

function isIndexed(summary: PackageSummary): summary is IndexedSummary {
  return summary.digest !== undefined
}

/** The groups that a version belongs to. */
export function groupsOf({crds}: PackageSummary): string[] {
  return [...new Set(crds.map(({group}) => group))]
}
