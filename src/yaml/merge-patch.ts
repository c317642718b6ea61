import {asObject, isJsonObject, type JsonValue} from './json-value.js'

/** Applies a JSON merge patch. https://www.rfc-editor.org/rfc/rfc7396 */
export function mergePatched(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const kept = Object.entries(asObject(target)).filter(([key]) => patch[key] !== null)
  const set = Object.entries(patch).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(set.map(([key, value]) => [key, mergePatched(asObject(target)[key], value)])),
  }
}
