import {asText, type JsonObject} from '../yaml/json-value.js'

/** Returns the singular name from the `names` of a CRD; Kubernetes derives a missing one from the kind. */
export function singularName(names: JsonObject): string {
  return asText(names.singular) || asText(names.kind).toLowerCase()
}
