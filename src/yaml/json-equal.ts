import {isJsonArray, isJsonObject, type JsonValue} from './json-value.js'

/** Reports whether two values are equal, in any order of their keys. */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true
  if (isJsonArray(a)) return isJsonArray(b) && a.length === b.length && a.every((x, i) => jsonEqual(x, b[i]))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  )
}
