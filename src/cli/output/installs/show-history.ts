import type {Revision} from '../../../cluster/inventory/inventory.js'
import {lines} from '../text/lines.js'
import type {Paint} from '../text/paint.js'
import {formatTable, type Row} from '../text/table.js'

/** The revisions of an install as a table, oldest first. */
export function formatHistory(revisions: readonly Revision[], isWide: boolean, paint: Paint): string {
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
