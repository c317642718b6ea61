import {asObject, asObjects, asText, isJsonArray} from 'kubectl-crossplane/plugin'
import type {ApiResource, JsonObject, KubernetesObject} from 'kubectl-crossplane/plugin'
import {isCustom} from './kinds.js'
import type {Condition, TraceNode} from './trace.js'

/** The state of an object that exists. */
export type Judged = Pick<TraceNode, 'state' | 'reason' | 'conditions'>

/** Conditions that are true in an object that works. */
const POSITIVE = ['Ready', 'Synced', 'Available', 'Healthy', 'Established', 'Installed']
/** Conditions that are true in an object that does not. */
const NEGATIVE = ['Failed', 'Stalled', 'Degraded', 'ReplicaFailure']
/** Fields of the status with a word for the state of the object. */
const PHASES = ['bindingPhase', 'state', 'phase']
/** Values of these fields in an object that works, in lowercase. */
const WORKING = [
  'bound',
  'submitted',
  'running',
  'active',
  'ready',
  'available',
  'succeeded',
  'completed',
  'healthy',
]
/** Fields of objects that a controller binds to others. */
const BOUND_BY = ['claimRef', 'classRef', 'classSelector', 'resourceRef']

/**
 * Judges an object by the conventions of Kubernetes and Crossplane: its deletion, the conditions and phases of its
 * status, and whether a controller has written a status at all. An object without anything to judge is ready: it exists.
 */
export function judgeObject(object: KubernetesObject, resource: ApiResource): Judged {
  const status = asObject(object.status)
  const conditions = conditionsIn(status)
  const phases = phasesIn(status)
  const reason =
    terminationOf(object) ??
    (isComplete(phases, conditions)
      ? undefined
      : (failingCondition(conditions) ?? failingPhase(phases, conditions) ?? unreported(object, resource)))
  if (reason !== undefined) return {state: 'NotReady', reason, conditions}
  return {state: 'Ready', reason: phases[0]?.word ?? '', conditions}
}

function terminationOf({metadata}: KubernetesObject): string | undefined {
  if (asText(metadata.deletionTimestamp) === '') return undefined
  const {finalizers} = metadata
  const names = isJsonArray(finalizers) ? finalizers.map(asText) : []
  return names.length === 0 ? 'being deleted' : `being deleted; finalizers: ${names.slice(0, 5).join(', ')}`
}

function conditionsIn(status: JsonObject): readonly Condition[] {
  const lists = [status.conditions, asObject(status.conditionedStatus).conditions]
  return lists.flatMap(asObjects).map(({type, status: value, reason, message}) => ({
    type: asText(type),
    status: asText(value),
    reason: asText(reason),
    message: asText(message),
  }))
}

interface Phase {
  readonly field: string
  readonly word: string
}

function phasesIn(status: JsonObject): readonly Phase[] {
  return PHASES.map(field => ({field, word: asText(status[field])})).filter(({word}) => word !== '')
}

/** Pods and Jobs that have done their work are not ready, and need not be. */
function isComplete(phases: readonly Phase[], conditions: readonly Condition[]): boolean {
  return (
    phases.some(({field, word}) => field === 'phase' && word === 'Succeeded') ||
    conditions.some(({type, status}) => type === 'Complete' && status === 'True')
  )
}

function failingCondition(conditions: readonly Condition[]): string | undefined {
  const failing = conditions.find(
    ({type, status}) =>
      (POSITIVE.includes(type) && status !== 'True') || (NEGATIVE.includes(type) && status === 'True'),
  )
  if (failing === undefined) return undefined
  const {type, status, reason, message} = failing
  return [`${type} is ${status}`, reason, message].filter(text => text !== '').join(': ')
}

/** Only the phase of a binding counts beside a condition that says the object is ready: other words are free. */
function failingPhase(phases: readonly Phase[], conditions: readonly Condition[]): string | undefined {
  const isReady = saysReady(conditions)
  const failing = phases.find(
    ({field, word}) => !WORKING.includes(word.toLowerCase()) && (field === 'bindingPhase' || !isReady),
  )
  return failing && `${failing.field} is ${failing.word}`
}

function unreported({spec, status}: KubernetesObject, resource: ApiResource): string | undefined {
  if (resource.hasStatus && isCustom(resource) && Object.keys(asObject(status)).length === 0) {
    return 'no controller has reported a status'
  }
  const fields = asObject(spec)
  const isBound = asText(asObject(status).bindingPhase) !== '' || saysReady(conditionsIn(asObject(status)))
  const isReported = isBound || phasesIn(asObject(status)).length > 0
  const needsBinding = isCustom(resource) && BOUND_BY.some(field => fields[field] !== undefined)
  return needsBinding && !isReported ? 'not bound' : undefined
}

function saysReady(conditions: readonly Condition[]): boolean {
  return conditions.some(({type, status}) => type === 'Ready' && status === 'True')
}
