import {
  CONTENT_MANAGER,
  isAppliedBy,
  type JsonObject,
  type KubernetesObject,
  present,
} from 'kubectl-crossplane/plugin'

/** Keeps the labels of an object: they name whose it is, and many are watched. */
export function labelsAlone({apiVersion, kind, metadata}: KubernetesObject): KubernetesObject {
  const {name, namespace, uid, resourceVersion, labels} = metadata
  return {apiVersion, kind, metadata: {name, ...present({namespace, uid, resourceVersion, labels})}}
}

/** Keeps a record as a whole only if it may be one that a user wrote; of others, that this program applied them. */
export function ifByHand(record: KubernetesObject): KubernetesObject {
  if (!isAppliedBy({...record}, CONTENT_MANAGER)) return record
  const {metadata, ...kept} = labelsAlone(record)
  const managedFields: JsonObject[] = [{manager: CONTENT_MANAGER, operation: 'Apply'}]
  return {...kept, metadata: {...metadata, managedFields}}
}

/** Keeps an object without its managed fields, which are half of it. */
export function withoutManagers(object: KubernetesObject): KubernetesObject {
  const {managedFields: _managedFields, ...metadata} = object.metadata
  return {...object, metadata}
}
