import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/**
 * The handling of fields without a schema by an API server: `partly-kept` if some nodes of the schema preserve them and
 * others do not.
 */
export type UnknownFields = 'kept' | 'partly-kept' | 'pruned'

/** Judges one version's schema in a CRD as it is installed: v1 prunes by default, v1beta1 only if it is requested. */
export function unknownFieldsOf(crd: KubernetesObject, schema: JsonValue | undefined): UnknownFields {
  const {preserveUnknownFields = crd.apiVersion.endsWith('/v1beta1')} = asObject(crd.spec)
  if (schema === undefined || preserveUnknownFields === true || keeps(schema)) return 'kept'
  return hasNodeThatKeeps(schema) ? 'partly-kept' : 'pruned'
}

function keeps(schema: JsonValue): boolean {
  return isJsonObject(schema) && schema['x-kubernetes-preserve-unknown-fields'] === true
}

function hasNodeThatKeeps(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(hasNodeThatKeeps)
  return isJsonObject(value) && (keeps(value) || Object.values(value).some(hasNodeThatKeeps))
}
