import type {GoScalar} from './go-scalars.js'

type Scalar = Exclude<GoScalar, {readonly kind: 'rejected'}>['value']

/** A scalar's value in words. */
export function readingOf(value: Scalar): string {
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' || typeof value === 'bigint' ? `the number ${value}` : String(value)
}

/**
 * Returns how other readers of YAML read a text without quotes, in words, if that differs: those of YAML 1.2 by its
 * core schema (https://yaml.org/spec/1.2.2/#103-core-schema), else those of YAML 1.1, but only for the dates and
 * base-60 numbers (https://yaml.org/type/) that are rarely intended.
 */
export function otherReading(text: string, here: string): string | undefined {
  const core = readingOf(coreScalar(text))
  if (core !== here) return `${core} to readers of YAML 1.2`
  if (DATE.test(text)) return 'a date to readers of YAML 1.1'
  if (BASE_60.test(text)) return `the number ${base60(text)} to readers of YAML 1.1`
  return undefined
}

const CORE_WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['false', 'False', 'FALSE'].map(word => [word, false] as const),
  ...['.nan', '.NaN', '.NAN'].map(word => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(word => [word, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map(word => [word, -Infinity] as const),
])
const CORE_INTEGER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+)$/
const CORE_DECIMAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

function coreScalar(text: string): Scalar {
  const word = CORE_WORDS.get(text)
  if (word !== undefined) return word
  if (!CORE_INTEGER.test(text) && !CORE_DECIMAL.test(text)) return text
  const number = Number(text)
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text)
}

const DATE = /^\d{4}-(?:\d\d-\d\d$|\d{1,2}-\d{1,2}(?:[Tt]|[ \t]+)\d{1,2}:\d\d:\d\d)/
const BASE_60 = /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/

function base60(text: string): number {
  const parts = text.replaceAll(/[-+_]/g, '').split(':')
  const magnitude = parts.reduce((sum, part) => sum * 60 + Number(part), 0)
  return text.startsWith('-') ? -magnitude : magnitude
}
