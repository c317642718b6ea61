import {lines} from '../text/lines.js'
import type {LockChanges, PackageChange} from '../../../declaration/lock-changes.js'
import {count} from '../../../text.js'
import type {Paint} from '../text/paint.js'
import {formatTable, type Row} from '../text/table.js'
import type {OutdatedReport} from '../../../package/reports.js'

/** Formats the changes of a lock as text. */
export function formatLockChanges({packages, unchanged, others}: LockChanges, paint: Paint): string {
  const head: Row = ['PACKAGE', 'OLD', 'NEW', 'CHANGE']
  const rows = packages.map((change): Row => [
    change.package,
    change.old ?? '-',
    change.new ?? '-',
    CHANGES[change.change],
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
  signatures: 'other signatures',
}

/** Formats the locked packages that are not at their newest version, and the number of the others. */
export function formatOutdated(
  {packages, current}: Pick<OutdatedReport, 'packages' | 'current'>,
  paint: Paint,
): string {
  const head: Row = ['PACKAGE', 'LOCKED', 'WANTED', 'LATEST', 'STATUS', 'REASON']
  const rows = packages.map(({package: name, locked, fits = '-', newest = '-', status, reason = ''}): Row => [
    name,
    locked,
    fits,
    newest,
    status.replace('-', ' '),
    reason,
  ])
  return lines([...formatTable([head, ...rows], paint, ''), `${count(current, 'package')} up to date.`])
}
