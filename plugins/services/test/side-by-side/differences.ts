import {isJsonObject, jsonEqual, type JsonValue} from 'kubectl-crossplane/plugin'

/** Returns the places at which two values differ, with both of them. */
export function differences(there: JsonValue, here: JsonValue, place = ''): readonly string[] {
  if (jsonEqual(there, here)) return []
  if (!isJsonObject(there) || !isJsonObject(here)) {
    return [`${place}: there ${JSON.stringify(there)}, here ${JSON.stringify(here)}`]
  }
  return [...new Set([...Object.keys(there), ...Object.keys(here)])].flatMap(key =>
    differences(there[key] ?? null, here[key] ?? null, place === '' ? key : `${place} > ${key}`),
  )
}
