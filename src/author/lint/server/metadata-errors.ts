import type {ObjectError} from '../../../crd/instances/check-object.js'
import {isLabelValue, isQualifiedName} from '../../../reference/kubernetes-names.js'
import {quoted} from '../../../text.js'
import {asObject, asText, type FieldPath, type JsonObject} from '../../../yaml/json-value.js'

/** Reports labels and annotations that an API server rejects. */
export function metadataErrors({labels, annotations}: JsonObject, place: FieldPath): readonly ObjectError[] {
  const keys = Object.keys(asObject(annotations)).filter(key => !isQualifiedName(key.toLowerCase()))
  return [
    ...labelErrors(asObject(labels), [...place, 'labels']),
    ...keys.map(key => ({
      place: [...place, 'annotations', key],
      message: `${quoted(key)} is not the key of an annotation`,
    })),
  ]
}

/** Reports the entries of a map that are not labels. */
export function labelErrors(labels: JsonObject, place: FieldPath): readonly ObjectError[] {
  return Object.entries(labels)
    .filter(([key, value]) => !isQualifiedName(key) || !isLabelValue(asText(value)))
    .map(([key, value]) => ({
      place: [...place, key],
      message: `${quoted(key)}: ${quoted(asText(value))} is not a valid label`,
    }))
}
