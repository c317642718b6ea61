import type {JsonValue} from '../../yaml/json-value.js'

/** A value as the library has it: integers are of 64 bits. */
export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly CelValue[]
  | {readonly [key: string]: CelValue}

/** Returns a JSON value as Kubernetes gives it to rules: numbers without a fraction are integers. */
export function celValue(value: JsonValue): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(celValue)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, celValue(inner)]))
}
