import {type FieldPath, isJsonArray, isJsonObject, type JsonValue} from 'kubectl-crossplane/plugin'

/** A field without fields of its own. */
export interface Leaf {
  readonly path: FieldPath
  readonly value: JsonValue
}

/** Lists the fields of a value that have none of their own: texts, numbers, empty maps and the like. */
export function leavesOf(value: JsonValue, path: FieldPath = []): readonly Leaf[] {
  if (isJsonArray(value) && value.length > 0)
    return value.flatMap((item, index) => leavesOf(item, [...path, index]))
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...path, key]))
  return [{path, value}]
}

/** Returns a value with another one at a path that it has. */
export function withValueAt(value: JsonValue, [step, ...rest]: FieldPath, other: JsonValue): JsonValue {
  if (step === undefined) return other
  if (isJsonArray(value))
    return value.map((item, index) => (index === step ? withValueAt(item, rest, other) : item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === step ? withValueAt(part, rest, other) : part]),
  )
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let part = value
  for (const step of path) {
    if (isJsonArray(part) && typeof step === 'number') part = part[step]
    else if (isJsonObject(part) && Object.hasOwn(part, String(step))) part = part[String(step)]
    else return undefined
  }
  return part
}

/** Another value of the same type, which no template has. */
export function otherValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'boolean') return !value
  return 'x'
}

/** Reports whether a field, such as `spec.image.tag`, is another one or in it. */
export function isWithin(field: string, around: string): boolean {
  return field === around || field.startsWith(`${around}.`)
}
