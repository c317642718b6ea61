import {jsonEqual} from '../../../yaml/json-equal.js'
import {asObject, isJsonObject, type JsonObject, type JsonValue} from '../../../yaml/json-value.js'

/** An object before and after a change; absent where it does not exist. */
export interface Versions {
  readonly before?: JsonObject
  readonly after?: JsonObject
}

const MASK = '***'
/** The fields of a Secret that hold secrets. */
const SECRET_FIELDS = ['data', 'stringData'] as const
/** The annotation in which `kubectl apply` keeps the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * Replaces the values of Secrets as kubectl does: by `***`, and by `*** (before)` and `*** (after)` where they differ.
 * Other objects are returned as they are.
 */
export function maskSecrets({before, after}: Versions): Versions {
  if (!isSecret(before) && !isSecret(after)) return {before, after}
  return {
    ...(before === undefined ? {} : {before: masked(before, after, `${MASK} (before)`)}),
    ...(after === undefined ? {} : {after: masked(after, before, `${MASK} (after)`)}),
  }
}

function isSecret(object: JsonObject | undefined): boolean {
  return object?.kind === 'Secret' && object.apiVersion === 'v1'
}

function masked(object: JsonObject, other: JsonObject | undefined, changed: string): JsonObject {
  const fields = SECRET_FIELDS.filter(field => object[field] !== undefined)
  const values = fields.map(field => [field, maskedValues(object[field], other?.[field], changed)] as const)
  const metadata = asObject(object.metadata)
  const annotations = metadata.annotations
  if (!isJsonObject(annotations) || annotations[LAST_APPLIED] === undefined) {
    return {...object, ...Object.fromEntries(values)}
  }
  const before = asObject(asObject(other?.metadata).annotations)[LAST_APPLIED]
  const shown = {...annotations, [LAST_APPLIED]: maskOf(annotations[LAST_APPLIED], before, changed)}
  return {...object, ...Object.fromEntries(values), metadata: {...metadata, annotations: shown}}
}

/** A field that is not a map is masked as a whole: nothing is known of its parts. */
function maskedValues(
  value: JsonValue | undefined,
  other: JsonValue | undefined,
  changed: string,
): JsonValue {
  if (!isJsonObject(value)) return maskOf(value, other, changed)
  const others = asObject(other)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskOf(item, others[key], changed)]),
  )
}

function maskOf(value: JsonValue | undefined, other: JsonValue | undefined, changed: string): string {
  return other === undefined || jsonEqual(value, other) ? MASK : changed
}
