import {isJsonObject, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'

/** What a path leads to: a value, nothing, or a place that has no fields. */
export type BoundValue = {readonly found: JsonValue} | {readonly found?: undefined; readonly blocked?: string}

/** Reads a field of an object by its steps. */
export function boundValue(object: JsonObject, steps: readonly string[]): BoundValue {
  let value: JsonValue = object
  for (const [index, step] of steps.entries()) {
    if (value === null) return {}
    if (!isJsonObject(value)) return {blocked: steps.slice(0, index).join('.')}
    if (!Object.hasOwn(value, step)) return {}
    value = value[step] ?? null
  }
  return {found: value}
}

/** Sets a field, with the maps around it; undefined if one of these is another value. */
export function withBoundValue(
  object: JsonObject,
  [step, ...rest]: readonly string[],
  value: JsonValue,
): JsonObject | undefined {
  if (step === undefined) return undefined
  if (rest.length === 0) return withEntry(object, step, value)
  const inner = Object.hasOwn(object, step) ? object[step] : {}
  if (!isJsonObject(inner)) return undefined
  const changed = withBoundValue(inner, rest, value)
  return changed && withEntry(object, step, changed)
}

/** Defines the entry as an own property, whatever its name is. */
function withEntry(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]])
}
