import type {Revision} from '../../cluster/inventory/inventory.js'
import type {NamedHistory, PackageRevision} from '../../pipeline/cluster/installed-format.js'
import type {LockedHistory, LockedRevision} from '../../pipeline/home/locked-history.js'
import {shortDigest} from '../../reference/image-name.js'
import {requestName} from '../../reference/named.js'
import {ageOf} from '../shell/flags/duration.js'
import type {List} from '../shell/document/show-list.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {formatList, formatTable, type Row} from '../shell/text/table.js'

/** The form of a table of revisions; `now` is in milliseconds since the epoch. */
interface HistoryTable {
  readonly paint: Paint
  readonly now: number
}

/** The revisions of an install or a package as a list, oldest first. */
export function historyList(history: NamedHistory, {paint, now}: HistoryTable): List {
  if (history.kind === 'install') {
    const {namespace, name, revisions} = history.install
    return {
      document: {kind: 'RevisionList', ...history.install},
      names: revisions.map(({number}) => String(number)),
      table: isWide => formatRevisions(revisions, isWide, paint),
      empty: `${namespace}/${name} has no revisions`,
    }
  }
  const {kind, name, repository, revisions} = history.package
  return {
    document: {kind: 'PackageRevisionList', package: {kind, name, repository}, revisions},
    names: revisions.map(({number}) => String(number)),
    table: isWide => formatPackageRevisions(revisions, isWide, {paint, now}),
    empty: `${requestName({kind, name})} has no revisions`,
  }
}

/** The versions of a package in the commits of a lock as a list, oldest first. */
export function lockedList({package: repository, revisions}: LockedHistory, paint: Paint): List {
  return {
    document: {kind: 'LockedVersionList', package: repository, revisions},
    names: revisions.map(({commit}) => commit.id),
    table: isWide => formatLockedRevisions(revisions, isWide, paint),
    empty: `${repository} has no versions`,
  }
}

function formatLockedRevisions(revisions: readonly LockedRevision[], isWide: boolean, paint: Paint): string {
  const more = isWide ? ['AUTHOR', 'SUBJECT'] : []
  const rows = revisions.map(({commit, version = 'removed', digest = ''}): Row => {
    const {id, time, author, subject} = commit
    const content = isWide ? digest : shortDigest(digest)
    return [id.slice(0, SHORT_HASH), time, version, content, ...(isWide ? [author, subject] : [])]
  })
  return formatList(['COMMIT', 'COMMITTED', 'VERSION', 'DIGEST', ...more], rows, paint)
}

const SHORT_HASH = 12

function formatPackageRevisions(
  revisions: readonly PackageRevision[],
  isWide: boolean,
  {paint, now}: HistoryTable,
): string {
  const more = isWide ? ['NAME', 'DIGEST'] : []
  const rows = revisions.map((revision): Row => {
    const {number, state, healthy, package: reference, name, digest = '', created} = revision
    const wide = isWide ? [name, digest] : []
    return [String(number), state, healthy, ageOf(created, now), reference, ...wide]
  })
  return formatList(['REVISION', 'STATE', 'HEALTHY', 'AGE', 'PACKAGE', ...more], rows, paint)
}

function formatRevisions(revisions: readonly Revision[], isWide: boolean, paint: Paint): string {
  const header = [
    'REVISION',
    'UPDATED',
    'PACKAGE',
    'USER',
    ...(isWide ? ['VERSION', 'DIGEST', 'SETTINGS'] : []),
  ]
  const rows = revisions.map((revision): Row => {
    const {number, time = '', user = '', package: installed} = revision
    return [
      String(number),
      inSeconds(time),
      installed === undefined ? '' : `${installed.identity}:${installed.tag}`,
      user,
      ...(isWide ? [installed?.version ?? '', installed?.digest ?? '', changedFields(revision)] : []),
    ]
  })
  return lines(formatTable([header, ...rows], paint, ''))
}

/** Leaves out the fraction of a second, as kubectl does; `-o json` has it. */
function inSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z')
}

/** Names the parameters and settings that are not the defaults. */
function changedFields({request, settings, isPartial}: Revision): string {
  if (isPartial === true) return 'not kept'
  const {package: _package, crd: _crd, ...parameters} = request ?? {}
  const names = Object.entries({...parameters, ...settings}).filter(
    ([, value]) => typeof value !== 'object' || Object.keys(value).length > 0,
  )
  return names.map(([name]) => name).join(',')
}
