import type {ListedInstall} from '../../pipeline/cluster/list-installs.js'
import {lines} from './lines.js'
import type {Paint} from './paint.js'
import {formatTable, type Row} from './table.js'

/** Installs as a table. */
export function formatInstalls(installs: readonly ListedInstall[], isWide: boolean, paint: Paint): string {
  const header = [
    'NAMESPACE',
    'NAME',
    'PACKAGE',
    'STATE',
    'SOURCE',
    ...(isWide ? ['VERSION', 'MODE', 'OBJECTS', 'WITNESS'] : []),
  ]
  const rows = installs.map((install): Row => [
    install.namespace,
    install.name,
    install.package,
    install.state,
    install.source,
    ...(isWide
      ? [install.version, install.mode ?? '', String(install.objects ?? ''), install.witness ?? '']
      : []),
  ])
  return lines(formatTable([header, ...rows], paint, ''))
}
