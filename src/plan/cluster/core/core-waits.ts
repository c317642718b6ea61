import {nameOf} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {escaped} from '../../../text.js'
import type {Operation} from '../../plan.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {CORE_LOCK} from '../state/core-state.js'

/** Waits until a revision is in the Lock of the core, or no longer in it. */
export function lockWait(revision: string, locked: boolean): Operation {
  const reason = locked ? 'Crossplane adds it to its Lock' : 'Crossplane removes it from its Lock'
  return {
    action: 'wait',
    target: CLUSTER_TARGET,
    object: CORE_LOCK,
    reason: `${reason}: ${escaped(revision)}`,
    precondition: {revision, locked},
  }
}

/** Waits until the package of a request is installed and healthy. */
export function healthWait(request: KubernetesObject): Operation {
  const reason = 'the package must be installed and healthy'
  return {action: 'wait', target: CLUSTER_TARGET, object: nameOf(request), reason}
}
