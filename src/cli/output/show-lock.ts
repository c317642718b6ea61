import {lines} from './lines.js'
import type {LockChanges, PackageChange} from '../../declaration/lock-changes.js'
import type {OutdatedReport} from '../../pipeline/outdated.js'
import type {Paint} from './paint.js'
import {count} from './section.js'
import {formatTable, type Row} from './table.js'

/** Formats the changes of a lock as text. */
export function formatLockChanges({packages, unchanged, others}: LockChanges, paint: Paint): string {
  const head: Row = ['PACKAGE', 'OLD', 'NEW', 'CHANGE']
  const rows = packages.map((each): Row => [
    each.package,
    each.old ?? '-',
    each.new ?? '-',
    CHANGES[each.change],
  ])
  return lines([
    ...(rows.length === 0 ? [] : formatTable([head, ...rows], paint, '')),
    ...(others.length === 0 ? [] : [`Also changed: ${others.join(', ')}.`]),
    `${count(unchanged, 'package')} unchanged.`,
  ])
}

const CHANGES: Readonly<Record<PackageChange['change'], string>> = {
  added: 'added',
  removed: 'removed',
  upgraded: 'upgraded',
  downgraded: 'downgraded',
  rebuilt: 'other content',
  installs: 'other installs',
}

/** The locked packages that are not at their newest version, as a table. */
export function formatOutdated({packages, current}: Omit<OutdatedReport, 'notes'>, paint: Paint): string {
  const head: Row = ['PACKAGE', 'LOCKED', 'WANTED', 'LATEST', 'STATUS', 'REASON']
  const rows = packages.map(({package: name, locked, fits = '-', newest = '-', status, reason = ''}): Row => [
    name,
    locked,
    fits,
    newest,
    status.replace('-', ' '),
    reason,
  ])
  return lines([
    ...(rows.length === 0 ? [] : formatTable([head, ...rows], paint, '')),
    `${count(current, 'package')} up to date.`,
  ])
}
