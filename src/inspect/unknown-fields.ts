import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject, isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/**
 * What an API server does with fields that a schema does not name: `partly-kept` where some nodes of the schema keep
 * what they hold and the others do not.
 */
export type UnknownFields = 'kept' | 'partly-kept' | 'pruned'

/** Of one version's schema in a CRD as it is installed: v1 prunes by default, v1beta1 only where it is asked to. */
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
