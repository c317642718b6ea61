import {jsonEqual} from '../yaml/json-equal.js'
import type {JsonObject} from '../yaml/json-value.js'

/** A condition of the status of an object. https://kubernetes.io/docs/reference/using-api/api-concepts */
export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  /** CamelCase. */
  readonly reason: string
  readonly message: string
  /** The generation of the object that the condition is about. */
  readonly observedGeneration?: number
}

/**
 * Sets a condition among those of an object; returns the same list if nothing changes. The time of the transition changes
 * with the status only. `now` is in the format of Kubernetes, `2026-01-01T00:00:00Z`.
 */
export function withCondition(
  conditions: readonly JsonObject[],
  condition: Condition,
  now: string,
): readonly JsonObject[] {
  const index = conditions.findIndex(({type}) => type === condition.type)
  const before = conditions[index]
  const isSameStatus = before?.status === condition.status && typeof before.lastTransitionTime === 'string'
  const fields: JsonObject = {...condition}
  const after = {...fields, lastTransitionTime: isSameStatus ? (before.lastTransitionTime ?? now) : now}
  if (jsonEqual(before, after)) return conditions
  return before === undefined ? [...conditions, after] : conditions.with(index, after)
}
