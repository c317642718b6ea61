import {type FieldPath, formatPath, type JsonObject} from '../../yaml/json-value.js'
import {checkValue} from '../checks/check-values.js'
import type {Schema} from '../schema-node.js'
import {prunedFields} from './pruned-fields.js'
import {withDefaults} from './with-defaults.js'

/** The effects of a schema on an existing object. */
export interface InstanceVerdict {
  /** The errors with which the API server would reject the object at its next update. */
  readonly rejected: readonly FieldError[]
  /** The fields that the API server drops. */
  readonly pruned: readonly FieldPath[]
}

/** A field of an object and what is wrong with its value. */
interface FieldError {
  readonly field: string
  readonly message: string
}

/**
 * Checks an object against the structural schema of a CRD; `uncheckedKeywords` lists the rules that are not checked.
 */
export function checkInstance(object: JsonObject, schema: Schema): InstanceVerdict {
  const rejected: FieldError[] = []
  checkValue(withDefaults(object, schema), schema, {path: '', place: []}, (_keyword, {place}, message) =>
    rejected.push({field: formatPath(place), message}),
  )
  return {rejected, pruned: prunedFields(object, schema)}
}
