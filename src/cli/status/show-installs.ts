import type {ListedInstall} from '../../pipeline/cluster/list-installs.js'
import {ageOf} from '../shell/flags/duration.js'
import {formatFitted} from '../shell/text/fitted-table.js'
import type {Paint} from '../shell/text/paint.js'
import type {Row} from '../shell/text/table.js'

/** The form of a table of installs. */
interface InstallTable {
  readonly isWide: boolean
  readonly paint: Paint
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Installs as a table that fits a terminal, unless it is wide. */
export function formatInstalls(
  installs: readonly ListedInstall[],
  {isWide, paint, now}: InstallTable,
): string {
  const header = [
    ...['NAMESPACE', 'NAME', 'PACKAGE', 'AVAILABLE', 'READY', 'AGE', 'STATE', 'SOURCE'],
    ...(isWide ? ['VERSION', 'MODE', 'OBJECTS', 'WITNESS'] : []),
  ]
  const rows = installs.map((install): Row => [
    install.namespace,
    install.name,
    install.package,
    install.available ?? '',
    readyOf(install),
    ageOf(install.created, now),
    install.state,
    install.source,
    ...(isWide
      ? [install.version, install.mode ?? '', String(install.objects ?? ''), install.witness ?? '']
      : []),
  ])
  const usual = {SOURCE: 'inventory'}
  return formatFitted(header, rows, {packages: header.indexOf('PACKAGE'), usual, isWide, paint})
}

function readyOf({replicas}: ListedInstall): string {
  return replicas === undefined ? '' : `${replicas.ready}/${replicas.desired}`
}
