import {isCrd} from '../kubernetes/crd-kind.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import type {Operation} from '../plan/plan.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {present} from '../present.js'
import type {LockExpectation} from '../observe/core/wait-until-locked.js'
import {parseExactJson} from '../yaml/exact-json.js'

/** The object of an operation on a cluster. */
export function nameIn({object, action}: Operation): ObjectName {
  if (object === undefined) throw new RangeError(`${action} has no object`)
  return object
}

/** Reports whether an operation is about a CRD, whose deletion would delete all instances. */
export function isOnCrd({object}: Operation): boolean {
  return isCrd(object)
}

/** The object that an operation applies. */
export function contentIn({content = ''}: Operation): KubernetesObject {
  return parseExactJson(content) as KubernetesObject
}

/** The uid that the object must have. */
export function uidIn({precondition}: Operation): string | undefined {
  return precondition !== undefined && 'uid' in precondition ? precondition.uid : undefined
}

/** Reports whether an operation expects that the object does not exist. */
export function expectsAbsence({precondition}: Operation): boolean {
  return precondition !== undefined && 'absent' in precondition
}

/** Returns what the Lock of a core has to have, or to lose. */
export function lockedIn({precondition}: Operation): readonly LockExpectation[] {
  return precondition !== undefined && 'revision' in precondition ? [precondition] : []
}

/** Returns an object without fields: applying it gives up all fields that the manager owns. */
export function withoutFields({apiVersion, kind, namespace, name}: ObjectName): KubernetesObject {
  return {apiVersion, kind, metadata: {name, ...present({namespace})}}
}
