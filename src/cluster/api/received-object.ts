import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {isJsonObject} from '../../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../../yaml/json-value.js'
import type {ResourceKind} from './cluster-api.js'

/** Checks that a response is an object of a kind; throws `cluster-failed`. `aim` completes "cannot …". */
export function receivedObject(
  body: JsonValue,
  {apiVersion, kind}: ResourceKind,
  aim: string,
): KubernetesObject {
  if (isObject(body) && body.apiVersion === apiVersion && body.kind === kind) return body
  throw new CrossplaneError('cluster-failed', `cannot ${aim}: the response is not a ${kind} of ${apiVersion}`)
}

/** The same for an item of a list, in which servers leave out the kind. */
export function receivedItem(item: JsonValue, kind: ResourceKind, aim: string): KubernetesObject {
  const {apiVersion, kind: name} = kind
  return receivedObject(isJsonObject(item) ? {...item, apiVersion, kind: name} : item, kind, aim)
}

function isObject(value: JsonValue): value is KubernetesObject {
  if (!isJsonObject(value) || !isJsonObject(value.metadata)) return false
  const {name, namespace, labels, annotations} = value.metadata
  return (
    typeof name === 'string' &&
    (namespace === undefined || typeof namespace === 'string') &&
    [labels, annotations].every(values => values === undefined || (isJsonObject(values) && hasTexts(values)))
  )
}

function hasTexts(map: JsonObject): boolean {
  return Object.values(map).every(value => typeof value === 'string')
}
