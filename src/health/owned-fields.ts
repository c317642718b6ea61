import {jsonEqual} from '../yaml/json-equal.js'
import {asObject, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {parsedJson} from '../yaml/parsed-json.js'

/**
 * Reports whether a field that managed fields name without any below it is owned as a whole. Otherwise it was applied
 * without content, and the API server has set defaults in it: managed fields do not distinguish the two.
 */
type IsAtomic = (field: string) => boolean

/**
 * The values of a live object in the fields that a manager owns, as `managedFields` name them: `f:NAME` for a field,
 * `k:{…}` for an item of a list by its keys, `v:…` for one of a set.
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function ownedFields(
  live: JsonValue | undefined,
  fields: JsonObject,
  isAtomic: IsAtomic,
  name = '',
): JsonValue {
  const below = Object.keys(fields).filter(key => key !== '.')
  if (below.length === 0) return isJsonObject(live) && !isAtomic(name) ? {} : (live ?? null)
  if (isJsonArray(live)) return live.flatMap(item => ownedItem(item, fields, isAtomic))
  if (!isJsonObject(live)) return live ?? null
  const names = below.flatMap(key => (key.startsWith('f:') ? [key.slice(2)] : []))
  return Object.fromEntries(
    names
      .filter(text => live[text] !== undefined)
      .map(text => [text, ownedFields(live[text], asObject(fields[`f:${text}`]), isAtomic, text)]),
  )
}

function ownedItem(item: JsonValue, fields: JsonObject, isAtomic: IsAtomic): JsonValue[] {
  for (const [key, below] of Object.entries(fields)) {
    if (key.startsWith('v:') && jsonEqual(parsedJson(key.slice(2)), item)) return [item]
    if (!key.startsWith('k:') || !isJsonObject(item)) continue
    const keys = Object.entries(asObject(parsedJson(key.slice(2))))
    if (keys.every(([name, value]) => jsonEqual(item[name], value))) {
      return [ownedFields(item, asObject(below), isAtomic)]
    }
  }
  return []
}
