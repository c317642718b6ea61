import {CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {type DesiredObject, isClaimed} from '../state/desired-object.js'
import {isCreateOnly} from '../state/object-operation.js'
import {isAsLeft} from '../state/object-state.js'
import type {RememberedObject} from '../state/ownership.js'

/**
 * Reports whether the metadata of a CRD is sufficient for planning: it is never changed, is being deleted, or is as an
 * install left it, with its claims. Any other CRD has to be read as a whole.
 */
export function isSettledCrd(
  desired: DesiredObject,
  live: KubernetesObject,
  remembered: readonly RememberedObject[],
): boolean {
  if (isCreateOnly(desired) || live.metadata.deletionTimestamp !== undefined) return true
  return (
    isAppliedBy(live, CONTENT_MANAGER) &&
    desired.claims.every(claim => isClaimed(live, claim)) &&
    remembered.some(object => isAsLeft(desired, live, object))
  )
}
