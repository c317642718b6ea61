import type {LockedInstance} from '../declaration/lock.js'
import {present} from '../present.js'
import {escaped, shellWord} from '../text.js'
import {requestName} from '../reference/named.js'
import {asText} from '../yaml/json-value.js'
import {breakKind, LINKS} from './break-kinds.js'
import {checkController} from './check-controller.js'
import {checkCrds} from './check-crds.js'
import {checkIdentity} from './check-identity.js'
import {checkInstall} from './check-install.js'
import {driftOf} from './drift.js'
import {expectedObjects} from './expected-objects.js'
import {broken, progress} from './findings.js'
import type {Finding, Health, HealthState} from './health.js'
import type {HealthSnapshot} from './health-snapshot.js'

/**
 * Judges the health of an install by its objects; a stored status of a request or record is never read. Without a record
 * nothing after it can be checked.
 */
export function judgeHealth(snapshot: HealthSnapshot): Health {
  const {record} = snapshot
  const expected = record === undefined ? {personaRoles: []} : expectedObjects(record)
  const unsettled = [
    ...checkInstall(snapshot),
    ...(record === undefined && snapshot.inventory === undefined ? [] : checkCrds(snapshot)),
    ...checkIdentity(expected, snapshot),
    ...checkController(expected, snapshot),
  ]
  const settled = isSettling(snapshot) ? unsettled.map(settling) : unsettled
  const findings = LINKS.flatMap(link => settled.filter(finding => finding.link === link))
  const denials = [...snapshot.denials.values()]
  return {state: stateOf(findings, denials.length > 0), findings, denials, drift: driftOf(snapshot)}
}

/** The health of an install that is in a lock, but not in the cluster. */
export function absentHealth(
  {kind, namespace, name}: Pick<LockedInstance, 'kind' | 'namespace' | 'name'>,
  declaration: string,
): Health {
  const text = kind === undefined ? `${namespace ?? ''}/${name}` : requestName({kind, name})
  const message = `the lock has ${escaped(text)}, but the cluster does not`
  const suggestion = `Install it, with the folder or index of the packages: kubectl crossplane package install --declaration ${shellWord(declaration)}`
  const findings = [broken('install-missing', {message, suggestion})]
  return {state: 'broken', findings, denials: [], drift: []}
}

function stateOf(findings: readonly Finding[], isDenied: boolean): HealthState {
  if (findings.some(({kind}) => kind === 'break')) return 'broken'
  if (isDenied) return 'unknown'
  return findings.length > 0 ? 'starting' : 'healthy'
}

/**
 * The time that an original package manager may take for the objects that it creates after a record, in milliseconds.
 */
const MANAGER_PATIENCE = 2 * 60 * 1000

/** Reports whether a program is at work on the install, so that objects can be absent for a moment. */
function isSettling(snapshot: HealthSnapshot): boolean {
  const {inventory, ignored, isBeingChanged, isManaged, denials, record, now} = snapshot
  // A program that may be at work counts as one: a break has to be certain.
  if (inventory !== undefined) {
    return inventory.phase === 'changing' && (isBeingChanged || denials.has('lease'))
  }
  if (ignored !== undefined && isBeingChanged) return true
  const created = Date.parse(asText(record?.metadata.creationTimestamp))
  return isManaged !== false && now - created < MANAGER_PATIENCE
}

function settling(finding: Finding): Finding {
  if (finding.kind !== 'break' || breakKind(finding.id).isPassing !== true) return finding
  const {link, object, message} = finding
  return progress(link, {message, ...present({object})})
}
