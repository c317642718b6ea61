import type {ListedPackage} from '../../pipeline/cluster/core/list-packages.js'
import type {PackageTransition} from '../../pipeline/cluster/watch-status.js'
import {shortDigest} from '../../reference/image-name.js'
import {requestName} from '../../reference/named.js'
import {listSome} from '../../text.js'
import {ageOf} from '../shell/flags/duration.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatFitted} from '../shell/text/fitted-table.js'
import type {Row} from '../shell/text/table.js'

const STATES = {healthy: 'Healthy', starting: 'Starting', broken: 'Broken', paused: 'Paused'} as const

/** The form of a table of packages; `now` is in milliseconds since the epoch. */
interface PackageTable {
  readonly isWide: boolean
  readonly paint: Paint
  readonly now: number
}

/** Packages for a current Crossplane as a table that fits a terminal, unless it is wide; empty for none. */
export function formatPackages(
  packages: readonly ListedPackage[],
  {isWide, paint, now}: PackageTable,
): string {
  const header = ['KIND', 'NAME', 'PACKAGE', 'AVAILABLE', 'AGE', 'STATE', 'NOTE']
  const rows = packages.map((one): Row => [
    one.kind,
    one.name,
    isWide ? one.package : shortReference(one.package),
    one.available ?? '',
    ageOf(one.created, now),
    stateCell(one),
    noteOf(one),
    ...(isWide ? [one.revision ?? '', one.requestedAs ?? '', one.requiredBy.join(', ')] : []),
  ])
  const more = isWide ? ['REVISION', 'REQUESTED AS', 'REQUIRED BY'] : []
  return formatFitted([...header, ...more], rows, {packages: header.indexOf('PACKAGE'), isWide, paint})
}

/** The reasons why packages are not healthy, and how they differ from a lock, a line each. */
export function packageReasons(packages: readonly ListedPackage[], paint: Paint): readonly string[] {
  return packages.flatMap(({kind, name, state, reason, drift = []}) => {
    const of = plainText(`${kind} ${name}`)
    return [
      ...(reason === undefined
        ? []
        : [`${of}: ${paint(colorOf(state), STATES[state])}: ${plainText(reason)}`]),
      ...drift.map(({message}) => `${of}: ${paint('yellow', 'drift')}: ${plainText(message)}`),
    ]
  })
}

/** One line for a change of state, such as `Provider example-sql: Starting -> Healthy`. */
export function formatPackageTransition({now, before}: PackageTransition): string {
  const {kind = '', name = ''} = now ?? before ?? {}
  const from = before === undefined ? '' : `${STATES[before.state]} -> `
  const reason = now?.reason === undefined ? '' : `: ${now.reason}`
  return plainText(`${kind} ${name}: ${from}${now === undefined ? 'removed' : STATES[now.state]}${reason}`)
}

/** The packages in the document of `-o json`. */
export function packageDocuments(packages: readonly ListedPackage[]) {
  return packages.length === 0
    ? {}
    : {packages: packages.map(({state, ...one}) => ({...one, state: STATES[state]}))}
}

/** Returns the names for `-o name`, which kubectl and other commands take. */
export function packageNames(packages: readonly ListedPackage[]): readonly string[] {
  return packages.map(requestName)
}

function stateCell({state}: ListedPackage): Row[number] {
  return state === 'healthy' ? STATES[state] : {text: STATES[state], style: colorOf(state)}
}

function colorOf(state: ListedPackage['state']): 'red' | 'yellow' {
  return state === 'broken' ? 'red' : 'yellow'
}

/** A table has the start of a digest; wide ones and documents have all of it. */
function shortReference(reference: string): string {
  const at = reference.lastIndexOf('@')
  return at === -1 ? reference : `${reference.slice(0, at + 1)}${shortDigest(reference.slice(at + 1))}`
}

/** Of a reason, which `status` prints, only the fact; its cause is long. */
function noteOf({duplicates, waitsFor, unused, reason, state}: ListedPackage): string {
  if (duplicates.length > 0) return `also requested as ${listSome(duplicates)}`
  if (waitsFor.length > 0) return `waits for ${listSome(waitsFor)}`
  if (state === 'broken') return reason?.split(': ', 1)[0]?.replace(/^it is /, '') ?? ''
  return unused ? 'no package requires it any more' : ''
}
