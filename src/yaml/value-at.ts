import {type FieldPath, isJsonArray, isJsonObject, type JsonValue} from './json-value.js'

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((part, step) => {
    if (typeof step === 'number') return isJsonArray(part) ? part[step] : undefined
    return isJsonObject(part) && Object.hasOwn(part, step) ? part[step] : undefined
  }, value)
}
