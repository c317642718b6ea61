import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/** A field that names a Secret, such as `passwordSecretRef`, `writeConnectionSecretToRef` and `imagePullSecrets`. */
const SECRET_FIELD = /secret/i
/** A text field that names a Secret, such as `secretName`. */
const SECRET_NAME_FIELD = /secret_?name$/i

/**
 * Returns the Secrets that an object refers to by convention, as NAMESPACE/NAME; those without a namespace are in that of the
 * object. Neither the Secrets nor the values of fields are read.
 */
export function secretNames({metadata, spec}: KubernetesObject): readonly string[] {
  const names = new Set<string>()
  const add = (name: JsonValue | undefined, namespace: JsonValue | undefined) => {
    if (typeof name !== 'string' || name === '') return
    const place = typeof namespace === 'string' && namespace !== '' ? namespace : metadata.namespace
    names.add(place === undefined ? name : `${place}/${name}`)
  }
  visit(spec, '', (field, value) => {
    if (isJsonObject(value) && SECRET_FIELD.test(field)) add(value.name, value.namespace)
    if (SECRET_NAME_FIELD.test(field)) add(value, undefined)
  })
  return [...names]
}

/** Calls back for each value with the field that it is in; elements of a list are in the field of the list. */
function visit(
  value: JsonValue | undefined,
  field: string,
  act: (field: string, value: JsonValue) => void,
): void {
  if (value === undefined) return
  act(field, value)
  if (isJsonArray(value)) for (const item of value) visit(item, field, act)
  else if (isJsonObject(value)) for (const [name, item] of Object.entries(value)) visit(item, name, act)
}
