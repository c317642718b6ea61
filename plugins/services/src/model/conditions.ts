import {
  asObject,
  asObjects,
  type Condition,
  type JsonObject,
  type KubernetesObject,
  withCondition,
} from 'kubectl-crossplane/plugin'

/** A condition as crossplane-runtime v0.9.0 has it: its reasons are sentences, which users and scripts of 2020 compare. */
export type ServiceCondition = Omit<Condition, 'observedGeneration'>

function ready(status: Condition['status'], reason: string, message = ''): ServiceCondition {
  return {type: 'Ready', status, reason, message}
}

/** The external resource can be used. */
export const AVAILABLE = ready('True', 'Resource is available for use')
/** The external resource exists and cannot be used. */
export const UNAVAILABLE = ready('False', 'Resource is not available for use')
/** The resource is being created. */
export const CREATING = ready('False', 'Resource is being created')
/** The resource is being deleted. */
export const DELETING = ready('False', 'Resource is being deleted')
/** A claim waits for its managed resource. */
export const WAITING = ready('False', 'Managed claim is waiting for managed resource to become bindable')
/** The last pass succeeded. */
export const SYNCED: ServiceCondition = {
  type: 'Synced',
  status: 'True',
  reason: 'Successfully reconciled resource',
  message: '',
}

const WAITING_FOR_CLASS = 'Waiting for a matching resource class'

/** A claim waits for a class. */
export function waitingForClass(message: string): ServiceCondition {
  return ready('False', WAITING_FOR_CLASS, message)
}

/** Whether a condition is one of `waitingForClass`. */
export function isWaitingForClass(condition: JsonObject | undefined): boolean {
  return condition?.reason === WAITING_FOR_CLASS
}

/** The longest message; a condition has at most 32 KiB. */
const MAX_MESSAGE = 4096

/** The last pass failed. */
export function notSynced(message: string): ServiceCondition {
  const reason = 'Encountered an error during resource reconciliation'
  return {type: 'Synced', status: 'False', reason, message: message.slice(0, MAX_MESSAGE)}
}

/** Returns a condition of an object. */
export function conditionOf(object: KubernetesObject, type: string): JsonObject | undefined {
  return asObjects(asObject(object.status).conditions).find(condition => condition.type === type)
}

/** Returns the conditions of an object with some changed; undefined if nothing changes. */
export function changedConditions(
  object: KubernetesObject,
  conditions: readonly ServiceCondition[],
  now: string,
): readonly JsonObject[] | undefined {
  const before = asObjects(asObject(object.status).conditions)
  const after = conditions.reduce<readonly JsonObject[]>((all, condition) => {
    // The original leaves an empty message out, and so does what compares with it.
    const {message, ...rest} = condition
    return withCondition(all, message === '' ? (rest as Condition) : condition, now)
  }, before)
  return after === before ? undefined : after
}
