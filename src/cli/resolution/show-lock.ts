import {lines} from '../shell/text/lines.js'
import type {LockChanges, PackageChange} from '../../declaration/lock-changes.js'
import {withShortDigests} from '../../reference/image-name.js'
import {count} from '../../text.js'
import type {Paint} from '../shell/text/paint.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** Formats the changes of a lock as text. */
export function formatLockChanges({packages, unchanged, others}: LockChanges, paint: Paint): string {
  const head: Row = ['PACKAGE', 'OLD', 'NEW', 'CHANGE']
  const rows = packages.map((change): Row => [
    change.package,
    withShortDigests(change.old ?? '-'),
    withShortDigests(change.new ?? '-'),
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
