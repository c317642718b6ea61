import {conditionOf} from './readiness/conditions.js'
import {escaped} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asText, type JsonValue} from '../yaml/json-value.js'
import {ageOf, REACTION} from './ages.js'
import type {BreakId} from './break-kinds.js'
import type {ObservedObject} from './observed-object.js'

/** The reason why a Deployment that is not ready does not become ready by itself. */
export interface Stuck {
  readonly id: BreakId
  /** States the fact, of the Deployment. */
  readonly reason?: string
}

/** Milliseconds in which Pods are replaced, such as those of a node that is drained. */
const REPLACEMENT = 60 * 1000

/** The default of `progressDeadlineSeconds`, in milliseconds, for a Deployment that has none. */
const DEADLINE = 10 * 60 * 1000

/**
 * Judges by its conditions a Deployment that is not ready; undefined if it may be starting. `unreadySince` is the time
 * since when a Pod of it is not ready.
 * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status
 */
export function stuckRollout(
  {object: deployment, changed}: ObservedObject,
  unreadySince: JsonValue | undefined,
  now: number,
): Stuck | undefined {
  if (!isObserved(deployment)) {
    const reason = 'the deployment controller has not processed its last change'
    return ageOf(changed, now) < REACTION ? undefined : {id: 'controller-stalled', reason}
  }
  const available = conditionOf(deployment, 'Available')
  const since = available?.status === 'False' ? available.lastTransitionTime : unreadySince
  const time = escaped(asText(since))
  const after = (patience: number, stuck: Stuck) => (ageOf(since, now) < patience ? undefined : stuck)
  switch (asText(conditionOf(deployment, 'Progressing')?.reason)) {
    case 'ProgressDeadlineExceeded':
      return {id: 'controller-stalled'}
    // This reason stays until the next rollout begins.
    case 'NewReplicaSetAvailable':
      return after(REPLACEMENT, {id: 'controller-unavailable', reason: `it became unavailable at ${time}`})
    case '':
      return after(DEADLINE, {id: 'controller-stalled', reason: `it has not been available since ${time}`})
    default:
      return undefined
  }
}

function isObserved({metadata, status}: KubernetesObject): boolean {
  const {observedGeneration = 0} = asObject(status)
  return Number(observedGeneration) >= Number(metadata.generation ?? 0)
}
