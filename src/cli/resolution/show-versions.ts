import type {VersionsReport} from '../../pipeline/versions.js'
import {lines} from '../shell/text/lines.js'
import type {Paint} from '../shell/text/paint.js'
import {formatTable, type Row} from '../shell/text/table.js'

/** The tags as a table. */
export function formatVersions({versions}: VersionsReport, paint: Paint): string {
  const rows = versions.map(({tag, stable, newest}): Row => [
    tag,
    stable ? 'yes' : 'no',
    newest ? 'newest' : '',
  ])
  return lines(formatTable([['TAG', 'STABLE', ''], ...rows], paint, ''))
}
