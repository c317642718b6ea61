import type {Diagnostic} from '../../diagnostic.js'
import {entryDiagnostics} from '../../index/entry/entry-document.js'
import {writeIndexFile} from '../../index/file/index-file.js'
import type {PackageIndex} from '../../index/package-index.js'
import type {PackageSummary} from '../../index/package-summary.js'

/** An index as a file. */
export interface ExportedIndex {
  /** The numbers of versions and of yanked versions. */
  readonly entries: number
  readonly withdrawn: number
  /** Each with its line break. */
  readonly lines: Iterable<string>
  /** Entries that cannot be read, and packages with fields that no index can hold. */
  readonly missing: readonly Diagnostic[]
}

/** Returns a whole index as a file: the same index gives the same bytes. */
export async function exportIndex(index: PackageIndex): Promise<ExportedIndex> {
  const content = await index.all()
  const diagnostics = new Map(content.summaries.map(summary => [summary, entryDiagnostics(summary)]))
  const summaries = content.summaries.filter(summary => diagnostics.get(summary)?.length === 0)
  return {
    entries: summaries.length,
    withdrawn: content.yanked.length,
    lines: writeIndexFile({...content, summaries}),
    missing: [
      ...content.unreadable.map(unreadablePackage => missing(unreadablePackage, unreadablePackage.reason)),
      ...[...diagnostics].flatMap(([summary, [first]]) =>
        first === undefined ? [] : [missing(summary, first.message)],
      ),
    ],
  }
}

function missing({identity, tag}: Pick<PackageSummary, 'identity' | 'tag'>, reason: string): Diagnostic {
  return {severity: 'warning', rule: 'not-exported', message: `${identity}:${tag} is left out: ${reason}`}
}
