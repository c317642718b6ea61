import type {JsonObject, KubernetesObject, Outcome} from 'kubectl-crossplane/plugin'
import {jsonEqual} from 'kubectl-crossplane/plugin'
import {changedConditions, type ServiceCondition} from './conditions.js'
import type {EventText, Store} from './store.js'

/** What a pass found out about an object, and when the next pass is due. */
export interface Verdict {
  readonly conditions: readonly ServiceCondition[]
  /** Further fields of the status. */
  readonly status?: JsonObject
  /** Is recorded if the status changes. */
  readonly event?: EventText
  readonly outcome: Outcome
}

/** Ends a pass at a step that failed, with the verdict that reports it. */
export class Stop extends Error {
  readonly verdict: Verdict

  constructor(verdict: Verdict) {
    super('the pass ended')
    this.verdict = verdict
  }
}

/** Writes the status of an object if it changes; returns it as it is then. */
export async function reportVerdict(
  object: KubernetesObject,
  {conditions, status = {}, event}: Verdict,
  store: Store,
): Promise<{readonly object: KubernetesObject; readonly isChanged: boolean}> {
  const changed = changedConditions(object, conditions, store.now())
  const before = object.status as JsonObject | undefined
  const fields = Object.fromEntries(
    Object.entries(status).filter(([key, value]) => !jsonEqual(before?.[key], value)),
  )
  if (changed === undefined && Object.keys(fields).length === 0) return {object, isChanged: false}
  // Before the status: a process that ends between both repeats the Event, and never loses it.
  if (event !== undefined) await store.event(object, event)
  const patch = {...fields, ...(changed === undefined ? {} : {conditions: changed})}
  return {object: await store.patchStatus(object, patch), isChanged: true}
}
