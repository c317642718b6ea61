import {WITNESS_ANNOTATION} from '../../../cluster/inventory/witness.js'
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  asObject,
} from '../../../yaml/json-value.js'
import {jsonEqual} from '../../../yaml/json-equal.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import {type Sha256, sha256Of} from '../../sha256.js'

/** The values that an object has in the fields of another, as far as it has them. */
function fieldsOf(object: JsonValue | undefined, fields: JsonValue): JsonValue {
  if (isJsonObject(fields) && isJsonObject(object)) {
    const keys = Object.keys(fields).filter(key => object[key] !== undefined)
    return Object.fromEntries(keys.map(key => [key, fieldsOf(object[key], fields[key] ?? null)]))
  }
  if (isJsonArray(fields) && isJsonArray(object) && fields.length === object.length) {
    return object.map((item, index) => fieldsOf(item, fields[index] ?? null))
  }
  return object ?? null
}

/** The hash of the fields of a live object that were sent: it changes only if one of them does. */
export function readHash(live: JsonObject, sent: JsonObject): Sha256 {
  return sha256Of(writeJson(fieldsOf(live, sent)))
}

/**
 * The hash of an object without the fields that the server maintains; it identifies a state to return to or to change.
 */
export function contentHash(live: JsonObject): Sha256 {
  return sha256Of(writeJson(contentOf(live)))
}

/** Reports whether an apply leaves the content of an object as it is. */
export function isSameContent(before: JsonObject, after: JsonObject): boolean {
  return jsonEqual(contentOf(before), contentOf(after))
}

/** An object without the fields that the server maintains, and without its status. */
export function contentOf({status: _status, metadata, ...object}: JsonObject): JsonObject {
  const {
    managedFields: _managedFields,
    resourceVersion: _resourceVersion,
    generation: _generation,
    creationTimestamp: _creationTimestamp,
    uid: _uid,
    selfLink: _selfLink,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _deletionGracePeriodSeconds,
    annotations,
    ...own
  } = asObject(metadata)
  // The witness of an inventory changes with each step of a change, and never by a plan.
  const {[WITNESS_ANNOTATION]: _witness, ...others} = asObject(annotations)
  return {...object, metadata: Object.keys(others).length === 0 ? own : {...own, annotations: others}}
}
