import {isJsonArray, isJsonObject, type JsonValue} from '../../../../yaml/json-value.js'
import {compareText} from '../../../../reference/compare-text.js'

/*
 * Texts as Go's fmt writes them. A number is a float64, a bigint is an int64: the function reads every number as a float64, and only
 * some transforms make an int64.
 */

/** Returns what Go prints of a value with `%v`. */
export function goText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(goText).join(' ')}]`
  if (isJsonObject(value)) {
    const fields = Object.entries(value).sort(([a], [b]) => compareText(a, b))
    return `map[${fields.map(([name, field]) => `${name}:${goText(field)}`).join(' ')}]`
  }
  if (value === null) return '<nil>'
  return typeof value === 'number' ? shortest(value) : String(value)
}

const ESCAPED = /[<>&\u2028\u2029]/g

/** Returns a value as Go's JSON: without spaces, with sorted fields. */
export function goJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(goJson).join(',')}]`
  if (isJsonObject(value)) {
    const fields = Object.entries(value).sort(([a], [b]) => compareText(a, b))
    return `{${fields.map(([name, field]) => `${goJson(name)}:${goJson(field)}`).join(',')}}`
  }
  if (typeof value !== 'string') return String(value)
  return JSON.stringify(value).replaceAll(
    ESCAPED,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The shortest text of a float64: with an exponent below 0.0001 and from 1000000. */
function shortest(value: number): string {
  if (!Number.isFinite(value)) return goInfinite(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  return power >= -4 && power < 6 ? plainNumber(value) : withExponent(digits, power)
}

function goInfinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}

function withExponent(digits: string, power: number): string {
  const sign = power < 0 ? '-' : '+'
  return `${digits}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
}

/** The shortest text of a float64 without an exponent. */
export function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return goInfinite(value)
  const text = String(value)
  if (!text.includes('e')) return text
  const [digits = '', exponent = '0'] = text.split('e')
  const sign = digits.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  const power = Number(exponent)
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`
  return `${sign}${whole}${fraction.padEnd(power, '0')}`
}

/** The longest text that transforms make here. A format can double a text, and a few dozen of them would fill the memory. */
export const MAX_TEXT = 1_000_000

/** Returns what Go's Sprintf makes of a format; undefined for what is not certain, or too long. */
export function goFormat(format: string, values: readonly JsonValue[]): string | undefined {
  if (format.replaceAll(VERB, '').includes('%')) return undefined
  const verbs = verbsOf(format)
  const parts: string[] = []
  let [next, length] = [0, format.length]
  for (const verb of verbs) {
    if (verb.index !== undefined) next = Number(verb.index) - 1
    const part = verb.verb === '%' ? '%' : partOf(values[next], verb)
    if (part === undefined) return undefined
    length += part.length
    if (length > MAX_TEXT) return undefined
    parts.push(part)
    if (verb.verb !== '%') next += 1
  }
  const text = withParts(format, parts)
  const isReordered = verbs.some(({index}) => index !== undefined)
  return isReordered || next >= values.length ? text : `${text}${extra(values.slice(next))}`
}

function withParts(format: string, parts: readonly string[]): string {
  const rest = parts.values()
  return format.replaceAll(VERB, () => rest.next().value ?? '')
}

function verbsOf(format: string): readonly Verb[] {
  return [...format.matchAll(VERB)].map(([, flags = '', width = '', precision, index, verb = '']) => ({
    ...{flags, width, precision, index, verb},
  }))
}

const VERB = /%([-+# 0]*)([1-9]\d*|)(?:\.(\d*))?(?:\[(\d+)\])?([a-zA-Z%])/g

function extra(values: readonly JsonValue[]): string {
  const texts = values.map(value => (value === null ? '<nil>' : `${goType(value)}=${goText(value)}`))
  return `%!(EXTRA ${texts.join(', ')})`
}

interface Verb {
  readonly flags: string
  readonly width: string
  readonly precision: string | undefined
  readonly index: string | undefined
  readonly verb: string
}

function partOf(value: JsonValue | undefined, verb: Verb): string | undefined {
  if (value === undefined) return `%!${verb.verb}(${verb.index === undefined ? 'MISSING' : 'BADINDEX'})`
  if (/[+# ]/.test(verb.flags) || Number(verb.width) > MAX_TEXT) return undefined
  const text = verbText(value, verb)
  if (text === undefined) return undefined
  const isBad = typeof text !== 'string'
  const padded = paddedText(isBad ? goText(value) : text, value, verb)
  if (!isBad) return padded
  return value === null ? `%!${verb.verb}(<nil>)` : `%!${verb.verb}(${goType(value)}=${padded})`
}

function paddedText(text: string, value: JsonValue, {flags, width}: Verb): string {
  const size = Number(width || 0)
  if (flags.includes('-')) return text.padEnd(size)
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (!flags.includes('0') || !isNumber) return text.padStart(size)
  return text.startsWith('-') ? `-${text.slice(1).padStart(size - 1, '0')}` : text.padStart(size, '0')
}

function goType(value: JsonValue): string {
  if (isJsonArray(value)) return '[]interface {}'
  if (isJsonObject(value)) return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int64'
  return typeof value === 'number' ? 'float64' : 'string'
}

const BAD = {isBad: true} as const

/** The text of a value by a verb; `BAD` for a verb that does not fit, undefined for what is not certain. */
function verbText(value: JsonValue, {verb, precision}: Verb): string | typeof BAD | undefined {
  if (isJsonArray(value) || isJsonObject(value)) return structureText(value, verb)
  if (value === null) return verb === 'v' ? '<nil>' : BAD
  if (verb === 'T') return goType(value)
  if (typeof value === 'string') return stringText(value, verb, precision)
  return verb === 'v' && precision === undefined ? goText(value) : scalarText(value, verb, precision)
}

function scalarText(
  value: number | bigint | boolean,
  verb: string,
  precision: string | undefined,
): string | typeof BAD | undefined {
  if (typeof value === 'bigint') return integerText(value, verb)
  if (typeof value === 'number') return floatText(value, verb, precision)
  return verb === 't' ? String(value) : badOr(verb)
}

function structureText(value: JsonValue, verb: string): string | undefined {
  if (verb === 'v') return goText(value)
  const isOfTexts = isJsonArray(value) && value.every(item => typeof item === 'string')
  return verb === 's' && isOfTexts ? goText(value) : undefined
}

/** Verbs that other types have are never certain here. */
function badOr(verb: string): typeof BAD | undefined {
  return 'sdtfFeEgGqxXobc'.includes(verb) ? BAD : undefined
}

function stringText(
  value: string,
  verb: string,
  precision: string | undefined,
): string | typeof BAD | undefined {
  if (verb === 's' || verb === 'v')
    return precision === undefined ? value : [...value].slice(0, Number(precision)).join('')
  if (verb === 'x' && precision === undefined) return Buffer.from(value).toString('hex')
  return 'dtfFeEgGob'.includes(verb) ? BAD : undefined
}

function integerText(value: bigint, verb: string): string | typeof BAD | undefined {
  if (verb === 'd') return String(value)
  if (verb === 'x') return value.toString(16)
  return 'stfFeEgG'.includes(verb) ? BAD : undefined
}

function floatText(
  value: number,
  verb: string,
  precision: string | undefined,
): string | typeof BAD | undefined {
  if (verb === 'f' || verb === 'F') return fixed(value, Number(precision ?? 6))
  if (verb === 'g' && precision === undefined) return goText(value)
  return 'sdtqocU'.includes(verb) ? BAD : undefined
}

function fixed(value: number, digits: number): string | undefined {
  return Math.abs(value) < 1e21 && digits <= 100 ? value.toFixed(digits) : undefined
}
