import {
  asObject,
  asObjects,
  asText,
  type Condition,
  jsonEqual,
  type JsonObject,
  type KubernetesObject,
  mergePatched,
  withCondition,
} from 'kubectl-crossplane/plugin'

/** The condition of a pass, and the fields that templates set. */
export interface NewStatus {
  readonly condition: Omit<Condition, 'type' | 'observedGeneration'>
  readonly fields?: JsonObject
  /** Whether a change of the status leaves the generation as it is: that it does is what the subresource is for. */
  readonly hasSubresource: boolean
  /** In the format of Kubernetes. */
  readonly now: string
}

/** The condition of the original controller. */
const TYPE = 'Synced'

/** Returns the merge patch of a status; undefined if it changes nothing. */
export function statusPatch(resource: KubernetesObject, status: NewStatus): JsonObject | undefined {
  const {generation} = resource.metadata
  const {condition, fields = {}, hasSubresource, now} = status
  const observed = hasSubresource && typeof generation === 'number' ? {observedGeneration: generation} : {}
  const before = asObject(resource.status)
  const others = asObjects(fields.conditions).filter(({type}) => type !== TYPE)
  const conditions = withCondition(
    others.reduce(replaced, asObjects(before.conditions)),
    {type: TYPE, ...condition, ...observed},
    now,
  )
  const patch = {...fields, conditions}
  return jsonEqual(mergePatched(before, patch), before) ? undefined : patch
}

/** The condition of an earlier pass. */
export function lastCondition({status}: KubernetesObject): JsonObject | undefined {
  return asObjects(asObject(status).conditions).find(({type}) => type === TYPE)
}

function replaced(conditions: readonly JsonObject[], condition: JsonObject): readonly JsonObject[] {
  const index = conditions.findIndex(({type}) => asText(type) === asText(condition.type))
  return index === -1 ? [...conditions, condition] : conditions.with(index, condition)
}
