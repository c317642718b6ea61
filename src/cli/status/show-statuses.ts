import {firstBreak, type HealthState} from '../../health/health.js'
import {type LeftBehind, leftCommand, leftMessages} from '../../plan/cluster/state/left-behind.js'
import type {InstallStatus} from '../../pipeline/cluster/install-status.js'
import type {StatusTransition} from '../../pipeline/cluster/watch-status.js'
import {count} from '../../text.js'
import {lines} from '../shell/text/lines.js'
import {onCluster} from '../shell/document/on-cluster.js'
import type {Paint} from '../shell/text/paint.js'
import {plainText} from '../shell/text/plain-text.js'
import {formatFitted} from '../shell/text/fitted-table.js'
import type {Row} from '../shell/text/table.js'

/** The names of states in tables and documents. */
const STATE_WORDS: Readonly<Record<HealthState, string>> = {
  healthy: 'Healthy',
  starting: 'Starting',
  broken: 'Broken',
  unknown: 'Unknown',
}

/** The colors of the output, and the command line of which the suggestions act on the cluster. */
export interface Shown {
  readonly paint: Paint
  readonly argv: readonly string[]
}

/** Installs as a table, and below it, for those that are not healthy, the reason and the next step. */
export function formatStatuses(
  statuses: readonly InstallStatus[],
  isWide: boolean,
  {paint, argv}: Shown,
): string {
  const header = ['NAMESPACE', 'NAME', 'PACKAGE', 'STATE', 'REASON']
  const wide = isWide ? ['VERSION', 'SOURCE', 'DRIFT'] : []
  const rows = statuses.map((status): Row => [
    status.namespace,
    status.name,
    status.package,
    stateCell(status),
    reasonOf(status),
    ...(isWide ? [status.version, status.source ?? '', String(status.drift.length)] : []),
  ])
  const omitted = omittedDetails(statuses)
  const detailed = statuses.filter(status => !omitted.has(status))
  const details = detailed.flatMap(status => detailsOf(status, {paint, argv}))
  const more =
    omitted.size === 0 ? [] : [`${paint('red', UNWITNESSED)}: ${count(omitted.size, 'more install')}`]
  const table = formatFitted([...header, ...wide], rows, {packages: header.indexOf('PACKAGE'), isWide, paint})
  return `${table}${details.length === 0 ? '' : lines(['', ...details, ...more])}`
}

const UNWITNESSED = 'inventory-unwitnessed'
const MAX_UNWITNESSED = 3

/** Anyone who may create ConfigMaps can name many installs: the details of these differ in names alone. */
function omittedDetails(statuses: readonly InstallStatus[]): ReadonlySet<InstallStatus> {
  const unwitnessed = statuses.filter(status => firstBreak(status)?.id === UNWITNESSED)
  return new Set(unwitnessed.slice(MAX_UNWITNESSED))
}

function stateCell({state}: InstallStatus): Row[number] {
  const text = STATE_WORDS[state]
  if (state === 'broken') return {text, style: 'red'}
  return state === 'healthy' ? text : {text, style: 'yellow'}
}

/** The id of the first broken link, else the link that is awaited. */
function reasonOf(status: InstallStatus): string {
  const [first] = status.findings
  if (status.state === 'unknown') return 'permission-denied'
  return firstBreak(status)?.id ?? first?.link ?? ''
}

function detailsOf(status: InstallStatus, {paint, argv}: Shown): string[] {
  const id = plainText(`${status.namespace}/${status.name}`)
  const [awaited] = status.findings
  const first = firstBreak(status)
  const others = status.findings.filter(finding => finding.kind === 'break').length - 1
  const more = others > 0 ? ` (and ${others} more)` : ''
  const drift = status.drift
    // An object that is missing is a break as well.
    .filter(({message}) => message !== first?.message)
    .map(({message}) => `${id}: ${paint('yellow', 'drift')}: ${plainText(message)}`)
  const denied = status.denials.map(
    ({message}) => `${id}: ${paint('yellow', 'permission-denied')}: ${plainText(message)}`,
  )
  const left = leftMessages(status.left ?? []).flatMap(({message, command}) => [
    `${id}: ${paint('yellow', 'crd-left')}: ${plainText(message)}`,
    `${paint('bold', 'Try:')} ${plainText(onCluster(command, argv))}`,
  ])
  if (first !== undefined) {
    const what = `${id}: ${paint('red', first.id)}: ${plainText(first.message)}${more}`
    return [
      what,
      `${paint('bold', 'Try:')} ${plainText(onCluster(first.suggestion, argv))}`,
      ...denied,
      ...drift,
      ...left,
    ]
  }
  const waits = awaited === undefined ? [] : [`${id}: ${plainText(awaited.message)}`]
  return [...denied, ...waits, ...drift, ...left]
}

/** One line for a change of state, such as `team/blog: Starting -> Healthy`. */
export function formatTransition({status, before}: StatusTransition): string {
  const {namespace, name} = status ?? before ?? {namespace: '', name: ''}
  const from = before === undefined ? '' : `${STATE_WORDS[before.state]} -> `
  const to = status === undefined ? 'removed' : `${STATE_WORDS[status.state]}${reasonText(status)}`
  return plainText(`${namespace}/${name}: ${from}${to}`)
}

/** The first break, else the awaited state; empty if there is neither. */
function reasonText(status: InstallStatus): string {
  const first = firstBreak(status)
  if (first !== undefined) return `: ${first.id}: ${first.message}`
  const [awaited] = status.findings
  return awaited === undefined ? '' : `: ${awaited.message}`
}

/** The document of `-o json`. */
export function statusDocument(statuses: readonly InstallStatus[], argv: readonly string[]) {
  return {kind: 'InstallStatusList', installs: statuses.map(status => documentOf(status, argv))} as const
}

function documentOf(
  {findings, denials, drift, left = [], state, ...status}: InstallStatus,
  argv: readonly string[],
) {
  const first = firstBreak({findings})
  return {
    ...status,
    state: STATE_WORDS[state],
    ...(first === undefined ? {} : {firstBreak: first.id}),
    findings: findings.map(finding =>
      finding.kind === 'break' ? {...finding, suggestion: onCluster(finding.suggestion, argv)} : {...finding},
    ),
    missingPermissions: denials.map(({message}) => message),
    drift: drift.map(difference => ({...difference})),
    ...(left.length === 0 ? {} : {leftCrds: left.map(behind => leftDocument(behind, argv))}),
  }
}

function leftDocument(behind: LeftBehind, argv: readonly string[]) {
  return {...behind, suggestion: onCluster(leftCommand(behind), argv)}
}
