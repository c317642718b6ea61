import {CONTENT_MANAGER, otherManagers} from '../../../cluster/claims.js'
import {objectText} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {listSome, quoted} from '../../../text.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import type {Precondition} from '../../plan.js'
import type {Allowances, Judgement} from '../objects/judge-object.js'
import {
  beingDeleted,
  conflict,
  foreign,
  isUndone,
  managersOf,
  notAccepted,
  type Reason,
  undoneByGit,
} from '../objects/object-reasons.js'
import type {ClusterSnapshot, DryRun} from '../state/cluster-snapshot.js'
import type {DesiredObject} from '../state/desired-object.js'
import {isSameContent} from '../state/live-object.js'
import {objectOperation, stateOf} from '../state/object-operation.js'
import {CORE_MANAGER} from '../state/core-state.js'
import {isOurs} from './requested-as.js'

type Allowed = Pick<Allowances, 'adopt' | 'forceConflicts' | 'inGit'>

/**
 * Decides about one object of a set for a core: a request, or what it needs. What the core requested itself is taken over; what
 * other programs applied stays as it is if it has the desired package, and otherwise needs --adopt.
 */
export function judgePackageObject(
  desired: DesiredObject,
  snapshot: Pick<ClusterSnapshot, 'live' | 'dryRuns' | 'sources'>,
  allowed: Allowed,
): Judgement {
  const live = snapshot.live.get(desired.key)
  if (live === undefined) return change(desired, {absent: true}, 'the object does not exist')
  if (live.metadata.deletionTimestamp !== undefined) return rejected(desired, beingDeleted(desired, live))
  const undone = undoneByGit(desired, live, snapshot, allowed)
  if (!isChangeable(live, allowed)) {
    return isSatisfied(desired.content, live)
      ? {kind: 'unchanged'}
      : rejected(desired, undone ?? foreign(desired, live))
  }
  const dryRun = snapshot.dryRuns.get(desired.key)
  if (dryRun === undefined) throw new RangeError(`no dry run of ${objectText(desired.name)}`)
  return isUndone(live, dryRun, undone)
    ? rejected(desired, undone)
    : judgeDryRun(desired, live, dryRun, allowed)
}

/** Reports whether a dry run of an object that exists is needed. */
export function isChangeable(live: KubernetesObject, {adopt}: Pick<Allowances, 'adopt'>): boolean {
  return adopt || isOurs(live) || isMadeByCore(live)
}

/** Reports whether the core itself made a request, and no other program changed it. */
export function isMadeByCore(live: KubernetesObject): boolean {
  const managers = otherManagers(live)
  return managers.length > 0 && managers.every(manager => manager === CORE_MANAGER)
}

/** The same package in the same way; for other kinds, the same fields. */
function isSatisfied({spec}: KubernetesObject, live: KubernetesObject): boolean {
  const [want, has] = [asObject(spec), asObject(live.spec)]
  if (want.package === undefined)
    return Object.entries(want).every(([key, value]) => jsonEqual(has[key], value))
  const isResolved = (fields: typeof want) => fields.skipDependencyResolution !== true
  return asText(want.package) === asText(has.package) && isResolved(want) === isResolved(has)
}

function judgeDryRun(
  desired: DesiredObject,
  live: KubernetesObject,
  dryRun: DryRun,
  {forceConflicts}: Allowed,
): Judgement {
  if (dryRun.kind === 'rejected') return rejected(desired, notAccepted(desired, dryRun))
  if (dryRun.kind === 'conflict') {
    const managers = managersOf(dryRun)
    const isFree = forceConflicts || isMadeByCore(live) || isTakenOver(live, managers)
    if (!isFree) return rejected(desired, conflict(desired, dryRun, managers))
    const reason = `fields are taken over from ${listSome(managers.map(quoted))}`
    return change(desired, stateOf(live), reason, true)
  }
  if (!isOurs(live)) return change(desired, stateOf(live), 'the object is taken over')
  if (isSameContent(live, dryRun.object)) return {kind: 'unchanged'}
  return change(desired, stateOf(live), 'the object differs from the package')
}

/**
 * Reports whether commands of kubectl own the fields of a conflict, and have changed none since this program took the object over: until
 * its version changes, both own the reference. What a controller applied would come back.
 */
function isTakenOver(live: KubernetesObject, managers: readonly string[]): boolean {
  const entries = asObjects(live.metadata.managedFields).filter(({subresource}) => subresource === undefined)
  const own = entries.find(({manager, operation}) => manager === CONTENT_MANAGER && operation === 'Apply')
  if (own === undefined) return false
  const since = Date.parse(asText(own.time))
  return managers.every(name => {
    const times = entries.filter(({manager}) => manager === name).map(({time}) => Date.parse(asText(time)))
    return name.startsWith('kubectl') && times.length > 0 && times.every(time => time < since)
  })
}

function change(
  desired: DesiredObject,
  precondition: Precondition,
  reason: string,
  force = false,
): Judgement {
  const operation = objectOperation(desired, precondition, reason, force ? {force} : {})
  return {kind: 'change', operation}
}

function rejected({name}: DesiredObject, reason: Reason): Judgement {
  const rejection = {severity: 'error', subject: {object: objectText(name)}, ...reason} as const
  return {kind: 'rejected', rejection}
}
