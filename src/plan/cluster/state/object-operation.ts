import {CONTENT_MANAGER} from '../../../cluster/claims.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {Operation, Precondition} from '../../plan.js'
import {CLUSTER_TARGET} from './cluster-target-name.js'
import type {DesiredObject} from './desired-object.js'
import {contentHash} from './live-object.js'
import {uidOf} from './ownership.js'

/** The base and Namespaces are created if they do not exist, and are never changed. */
export function isCreateOnly({shared}: Pick<DesiredObject, 'shared'>): boolean {
  return shared !== undefined && shared !== 'crd'
}

/** Returns the precondition that a live object has the state that a decision is based on. */
export function stateOf(live: KubernetesObject): Precondition {
  return {uid: uidOf(live), sha256: contentHash(live)}
}

/** Returns the operation that applies an object. */
export function objectOperation(
  desired: Pick<DesiredObject, 'phase' | 'name' | 'shared' | 'text'>,
  precondition: Precondition,
  reason: string,
  more: Partial<Operation> = {},
): Operation {
  const {phase, name} = desired
  return {
    action: isCreateOnly(desired) ? 'create-only' : 'apply',
    target: CLUSTER_TARGET,
    object: name,
    phase,
    manager: CONTENT_MANAGER,
    reason,
    precondition,
    // Not kept: the operation of a large set that waits for its turn needs no text.
    get content() {
      return desired.text
    },
    ...more,
  }
}
