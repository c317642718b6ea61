import {
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import {goJson, plainNumber} from './go-text.js'
import type {TransformOutcome} from './outcome.js'

/** Converts a value as the transform `convert` does: a number is a float64, a bigint an int64. */
export function converted(value: JsonValue, {toType, format}: JsonObject): TransformOutcome {
  const target = asText(toType) === 'int' ? 'int64' : asText(toType)
  if (value === null || isJsonArray(value) || isJsonObject(value))
    return {error: 'a convert transform reads only text, numbers and booleans'}
  return typeOf(value) === target ? {value} : convertedScalar(value, target, asText(format))
}

function convertedScalar(
  value: string | number | bigint | boolean,
  target: string,
  as: string,
): TransformOutcome {
  if (as === '' || as === 'none')
    return typeof value === 'string' ? fromText(value, target) : fromScalar(value, target)
  const read = FORMATS.get(as)
  return read !== undefined && typeof value === 'string'
    ? read(value, target)
    : {error: `a ${typeOf(value)} cannot be converted to ${target} with the format ${as}`}
}

const FORMATS: ReadonlyMap<string, (text: string, target: string) => TransformOutcome> = new Map(
  Object.entries({
    json: parsed,
    quantity,
  }),
)

function typeOf(value: string | number | bigint | boolean): string {
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'bigint') return 'int64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

function fromScalar(value: number | bigint | boolean, target: string): TransformOutcome {
  switch (target) {
    case 'string':
      return {value: typeof value === 'number' ? plainNumber(value) : String(value)}
    case 'bool':
      return {value: Number(value) === 1}
    case 'int64':
      return Number.isFinite(Number(value)) ? {value: BigInt(Math.trunc(Number(value)))} : {isUncertain: true}
    case 'float64':
      return {value: Number(value)}
    default:
      return {error: `a ${typeOf(value)} cannot be converted to ${target}`}
  }
}

const BOOLEANS = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map(text => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map(text => [text, false] as const),
])
const MAX_INT64 = 2n ** 63n - 1n

function fromText(text: string, target: string): TransformOutcome {
  const error = (type: string) => ({error: `${goJson(text)} is not ${type}`})
  switch (target) {
    case 'bool': {
      const value = BOOLEANS.get(text)
      return value === undefined ? error('a boolean') : {value}
    }
    case 'int64': {
      if (!/^[-+]?\d+$/.test(text)) return error('a whole number')
      const value = BigInt(text.replace(/^\+/, ''))
      return value > MAX_INT64 || value < -MAX_INT64 - 1n ? error('a whole number of 64 bits') : {value}
    }
    case 'float64':
      return float(text)
    default:
      return {error: `a text cannot be converted to ${target} without the format json`}
  }
}

const FLOAT = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

/** Numbers that JSON does not have fail when the value is written. */
function float(text: string): TransformOutcome {
  const isOther = /^[-+]?(?:inf|infinity|nan)$/i.test(text)
  if (/^[-+]?0[xX]|_/.test(text)) return {isUncertain: true}
  const value = FLOAT.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) && !isOther ? {value} : {error: `${goJson(text)} is not a number`}
}

function parsed(text: string, target: string): TransformOutcome {
  if (target !== 'object' && target !== 'array')
    return {error: `a text cannot be converted to ${target} with the format json`}
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return {error: `${goJson(text)} is not JSON`}
  }
  const isOfType = value === null || (target === 'array' ? isJsonArray(value) : isJsonObject(value))
  return isOfType ? {value} : {error: `the JSON is not of type ${target}`}
}

const QUANTITY = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+))(?:([eE][-+]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/
const SUFFIXES: Readonly<Record<string, number>> = {
  ...{n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18},
  ...{Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60},
}

function quantity(text: string, target: string): TransformOutcome {
  if (target !== 'float64') return {error: 'a quantity can only be converted to float64'}
  const [, digits, exponent = '', suffix = ''] = QUANTITY.exec(text) ?? []
  if (digits === undefined) return {error: `${goJson(text)} is not a quantity`}
  return {value: Number(`${digits}${exponent}`) * (SUFFIXES[suffix] ?? 1)}
}
