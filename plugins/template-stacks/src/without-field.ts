import {
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'

/** Returns an object without the field of a path; the same object if it has no such field. */
export function withoutField(object: JsonObject, path: FieldPath): JsonObject {
  return without(object, path) as JsonObject
}

function without(value: JsonValue, [step, ...rest]: FieldPath): JsonValue {
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? without(item, rest) : item))
  if (!isJsonObject(value) || typeof step !== 'string' || !Object.hasOwn(value, step)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]): [string, JsonValue][] => {
      if (key !== step) return [[key, part]]
      return rest.length === 0 ? [] : [[key, without(part, rest)]]
    }),
  )
}
