import {
  asObject,
  asText,
  groupOf,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  type ObjectName,
  type ResourceKind,
} from 'kubectl-crossplane/plugin'

/** Returns the reference to an object, as core/v1 `ObjectReference`. */
export function referenceTo({apiVersion, kind, metadata}: KubernetesObject): JsonObject {
  const {namespace, name, uid} = metadata
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : {namespace}),
    name,
    ...(uid === undefined ? {} : {uid}),
  }
}

/** Reads a reference; undefined if there is none. */
export function referenceIn(value: JsonValue | undefined): JsonObject | undefined {
  const reference = asObject(value)
  return asText(reference.name) === '' ? undefined : reference
}

/** Whether a reference is to an object of a kind. Some authors leave the kind out: then it is not. */
export function isOfKind(reference: JsonObject | undefined, {apiVersion, kind}: ResourceKind): boolean {
  if (reference === undefined) return false
  return reference.kind === kind && groupOf(asText(reference.apiVersion)) === groupOf(apiVersion)
}

/** Whether a reference is to this object. UIDs are compared if both have one. */
export function refersTo(reference: JsonObject | undefined, object: KubernetesObject): boolean {
  if (!isOfKind(reference, object) || reference === undefined) return false
  const {name, namespace = '', uid} = object.metadata
  if (reference.name !== name || asText(reference.namespace) !== namespace) return false
  return asText(reference.uid) === '' || uid === undefined || reference.uid === uid
}

/** Returns the name of the referenced object of a kind. */
export function nameIn(reference: JsonObject, {apiVersion, kind}: ResourceKind): ObjectName {
  const namespace = asText(reference.namespace)
  return {apiVersion, kind, ...(namespace === '' ? {} : {namespace}), name: asText(reference.name)}
}
