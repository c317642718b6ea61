import {count, listSome} from '../../text.js'
import type {AddReport} from '../../pipeline/index/add-to-index.js'
import type {CompactReport} from '../../pipeline/index/compact-index.js'
import type {ImportReport} from '../../pipeline/index/import-index.js'
import type {IndexListing} from '../../pipeline/index/list-index.js'
import type {SearchReport} from '../../pipeline/index/search-index.js'
import type {YankReport} from '../../pipeline/index/yank-version.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Paint} from '../shell/text/paint.js'
import {withdrawnHead} from './show-providers.js'
import {formatList, type Row} from '../shell/text/table.js'

/** Returns a line for each package. */
export function formatAdded({packages}: AddReport): string {
  return packages.map(({reference, state}) => `${reference}: ${STATES[state]}\n`).join('')
}

const STATES = {added: 'added', present: 'unchanged', replaced: 'replaced'} as const

/** Returns warnings for the versions that were not added. */
export function skippedWarnings({skipped}: Pick<AddReport, 'skipped'>): Diagnostic[] {
  return skipped.map(({reference, reason}) => ({
    severity: 'warning',
    rule: 'skipped-package',
    message: `${reference} is skipped: ${reason}`,
  }))
}

/** Returns the numbers of entries: `3 added, 1 unchanged`. */
export function formatImport({added, present, withdrawn}: ImportReport): string {
  const yanks = withdrawn === 0 ? '' : ` (${count(withdrawn, 'yank')})`
  return `${added} added, ${present} unchanged${yanks}\n`
}

export function formatYank({package: name, tag, digest, reason, state}: YankReport): string {
  const done = state === 'added' ? 'yanked' : 'unchanged: yanked before'
  return `${name}:${tag}@${digest}: ${done}: ${reason}\n`
}

/** Enough of a digest to distinguish two. */
const SHORT_DIGEST = 'sha256:'.length + 12

/** Returns the table of versions; empty without any. */
export function formatListing({packages}: IndexListing, paint: Paint, isWide = false): string {
  const head: Row = ['PACKAGE', 'TAG', 'DIGEST', 'SCOPE', 'CRDS', 'TITLE', ...withdrawnHead(packages)]
  const rows = packages.map((version): Row => [
    version.package,
    version.tag,
    version.digest?.slice(0, isWide ? undefined : SHORT_DIGEST) ?? '-',
    version.permissionScope,
    String(version.crds.length),
    version.title,
    version.withdrawn ?? '',
  ])
  return formatList(head, rows, paint)
}

const MAX_CRDS = 3

/** Returns the table of packages that were found; empty without any. */
export function formatFound({packages}: SearchReport, paint: Paint, isWide = false): string {
  const head: Row = ['PACKAGE', 'NEWEST', 'VERSIONS', 'CATEGORY', 'TITLE', 'CRDS']
  const rows = packages.map((foundPackage): Row => [
    foundPackage.package,
    foundPackage.withdrawn === undefined ? foundPackage.tag : `${foundPackage.tag} (yanked)`,
    String(foundPackage.versions),
    foundPackage.category,
    foundPackage.title,
    isWide ? foundPackage.crds.join(', ') : listSome(foundPackage.crds, MAX_CRDS),
  ])
  return formatList(head, rows, paint)
}

/** Returns one line for each partition with a new snapshot. */
export function formatCompaction({compacted}: CompactReport): string {
  if (compacted.length === 0) return 'unchanged\n'
  return compacted
    .map(({name, entries}) => `${name}: ${count(entries, 'entry', 'entries')} added to snapshots\n`)
    .join('')
}
