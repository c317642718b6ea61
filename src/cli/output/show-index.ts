import {lines} from './lines.js'
import {listSome} from '../../text.js'
import type {AddReport} from '../../pipeline/index/add-to-index.js'
import type {ImportReport} from '../../pipeline/index/import-index.js'
import type {IndexListing} from '../../pipeline/index/list-index.js'
import type {SearchReport} from '../../pipeline/index/search-index.js'
import type {YankReport} from '../../pipeline/index/yank-version.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {Paint} from './paint.js'
import {withdrawnHead} from './show-providers.js'
import {formatTable, type Row} from './table.js'

/** A line for each package. */
export function formatAdded({packages}: AddReport): string {
  return packages.map(({reference, state}) => `${reference}: ${STATES[state]}\n`).join('')
}

const STATES = {added: 'added', present: 'already there'} as const

/** What was left out of an index that is written, for stderr. */
export function skippedWarnings({skipped}: Pick<AddReport, 'skipped'>): Diagnostic[] {
  return skipped.map(({reference, reason}) => ({
    severity: 'warning',
    rule: 'skipped-package',
    message: `${reference} was skipped: ${reason}`,
  }))
}

/** How much there is now: `3 added, 1 already there`. */
export function formatImport({added, present, withdrawn}: ImportReport): string {
  const yanks = withdrawn === 0 ? '' : `; ${withdrawn} of them say that a version was withdrawn`
  return `${added} added, ${present} already there${yanks}\n`
}

export function formatYank({package: name, tag, digest, reason, state}: YankReport): string {
  const done = state === 'added' ? 'withdrawn' : 'withdrawn already'
  return `${name}:${tag}@${digest}: ${done}: ${reason}\n`
}

/** Enough of a digest to tell two apart. */
const SHORT_DIGEST = 'sha256:'.length + 12

/** The table for people; nothing but its head if there is nothing. */
export function formatListing({packages}: IndexListing, paint: Paint): string {
  const head: Row = ['PACKAGE', 'TAG', 'DIGEST', 'SCOPE', 'CRDS', 'TITLE', ...withdrawnHead(packages)]
  const rows = packages.map((each): Row => [
    each.package,
    each.tag,
    each.digest?.slice(0, SHORT_DIGEST) ?? '-',
    each.permissionScope,
    String(each.crds.length),
    each.title,
    each.withdrawn ?? '',
  ])
  return table([head, ...rows], paint)
}

const MAX_CRDS = 3

/** The same for what was found. */
export function formatFound({packages}: SearchReport, paint: Paint): string {
  const head: Row = ['PACKAGE', 'NEWEST', 'VERSIONS', 'CATEGORY', 'TITLE', 'CRDS']
  const rows = packages.map((each): Row => [
    each.package,
    each.withdrawn === undefined ? each.tag : `${each.tag} (withdrawn)`,
    String(each.versions),
    each.category,
    each.title,
    listSome(each.crds, MAX_CRDS),
  ])
  return table([head, ...rows], paint)
}

function table(rows: readonly Row[], paint: Paint): string {
  return lines(formatTable(rows, paint, ''))
}
