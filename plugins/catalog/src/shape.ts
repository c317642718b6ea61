import {isJsonArray, isJsonObject, type JsonValue} from 'kubectl-crossplane/plugin'

/** What a value must be: a type, a list of such values, an object with these fields, or what a test accepts. */
export type Shape =
  | 'text'
  | 'boolean'
  | readonly [Shape]
  | {readonly [name: string]: Shape}
  | ((value: JsonValue | undefined) => boolean)

/** Reports whether a value has a shape, and no further fields. */
export function hasShape(value: JsonValue | undefined, shape: Shape): boolean {
  if (typeof shape === 'function') return shape(value)
  if (shape === 'text') return typeof value === 'string'
  if (shape === 'boolean') return typeof value === 'boolean'
  if (isList(shape)) return isJsonArray(value) && value.every(item => hasShape(item, shape[0]))
  if (!isJsonObject(value)) return false
  if (!Object.keys(value).every(name => Object.hasOwn(shape, name))) return false
  return Object.entries(shape).every(([name, inner]) =>
    hasShape(Object.hasOwn(value, name) ? value[name] : undefined, inner),
  )
}

/** A value that may be absent. */
export function optional(shape: Shape): Shape {
  return value => value === undefined || hasShape(value, shape)
}

/** One of these texts. */
export function oneOf(texts: readonly string[]): Shape {
  return value => typeof value === 'string' && texts.includes(value)
}

/** A value of one of these shapes. */
export function either(...shapes: readonly Shape[]): Shape {
  return value => shapes.some(shape => hasShape(value, shape))
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape)
}
