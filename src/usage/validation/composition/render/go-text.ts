import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../../../yaml/json-value.js'
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
  if (format.replaceAll(VERB, '').replace(NO_VERB, '').includes('%')) return undefined
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
  const isOpen = NO_VERB.test(format.replaceAll(VERB, ''))
  const whole = isOpen ? format.replace(NO_VERB, '') : format
  return `${whole.replaceAll(VERB, () => rest.next().value ?? '')}${isOpen ? '%!(NOVERB)' : ''}`
}

/** A percent sign at the end has no verb. */
const NO_VERB = /%$/

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
  if (!isCertain(value, verb)) return undefined
  return isJsonArray(value) || isJsonObject(value) ? structureText(value, verb) : plainText(value, verb)
}

function isCertain(value: JsonValue, verb: Verb): boolean {
  return Number(verb.width) <= MAX_TEXT && (!/[+# ]/.test(verb.flags) || hasNoSign(value, verb))
}

function plainText(value: Plain, verb: Verb): string | undefined {
  const text = verbText(value, verb)
  if (text === undefined) return undefined
  const isBad = typeof text !== 'string'
  const padded = paddedText(isBad ? goText(value) : text, value, verb)
  if (!isBad) return padded
  return value === null ? `%!${verb.verb}(<nil>)` : `%!${verb.verb}(${goType(value)}=${padded})`
}

type Plain = string | number | bigint | boolean | null

/** Signs change only numbers, and the verbs that print the bytes or the syntax of a text. */
function hasNoSign(value: JsonValue, {flags, verb}: Verb): boolean {
  return typeof value === 'string' && !flags.includes('#') && 'svdtfFeEgGob'.includes(verb)
}

function paddedText(text: string, value: JsonValue, {flags, width}: Verb): string {
  const size = Number(width || 0)
  if (flags.includes('-')) return text.padEnd(size)
  if (!flags.includes('0')) return text.padStart(size)
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  return isNumber && text.startsWith('-')
    ? `-${text.slice(1).padStart(size - 1, '0')}`
    : text.padStart(size, '0')
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
function verbText(value: Plain, {verb, precision}: Verb): string | typeof BAD | undefined {
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

/** Lists and maps are printed item by item, each with the verb. */
function structureText(value: readonly JsonValue[] | JsonObject, verb: Verb): string | undefined {
  if (verb.verb === 'T' || verb.verb === 'p') return undefined
  const item = (own: JsonValue) => (own === null ? '<nil>' : partOf(own, verb))
  const isList = isJsonArray(value)
  const texts = isList
    ? value.map(item)
    : Object.entries(value)
        .sort(([a], [b]) => compareText(a, b))
        .map(([name, field]) => joinedWith(':', [item(name), item(field)]))
  const text = joinedWith(' ', texts)
  return text === undefined ? undefined : `${isList ? '' : 'map'}[${text}]`
}

function joinedWith(separator: string, texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : texts.join(separator)
}

/** Verbs that other types have are never certain here. */
function badOr(verb: string): typeof BAD | undefined {
  return 'vTpw'.includes(verb) ? undefined : BAD
}

function stringText(
  value: string,
  verb: string,
  precision: string | undefined,
): string | typeof BAD | undefined {
  if (verb === 's' || verb === 'v')
    return precision === undefined ? value : [...value].slice(0, Number(precision)).join('')
  if (verb === 'x' && precision === undefined) return Buffer.from(value).toString('hex')
  if (verb === 'q' && /^[ !#-[\]-~]*$/.test(value) && precision === undefined) return `"${value}"`
  return OF_TEXTS.includes(verb) ? undefined : BAD
}

/** The verbs that Go prints a text, its type or an error by. */
const OF_TEXTS = 'svxXqTpw'

function integerText(value: bigint, verb: string): string | typeof BAD | undefined {
  if (verb === 'd') return String(value)
  if (verb === 'x') return value.toString(16)
  return 'vdboOxXcqUTpw'.includes(verb) ? undefined : BAD
}

function floatText(
  value: number,
  verb: string,
  precision: string | undefined,
): string | typeof BAD | undefined {
  if (verb === 'f' || verb === 'F') return fixed(value, Number(precision ?? 6))
  if (verb === 'g' && precision === undefined) return goText(value)
  return 'vbeEfFgGxXTpw'.includes(verb) ? undefined : BAD
}

/** Go rounds what is exactly between two numbers to the even one. */
function fixed(value: number, digits: number): string | undefined {
  if (Math.abs(value) >= 1e21 || digits > 100) return undefined
  const scale = 10 ** digits
  const halves = value * scale * 2
  const isTie = Number.isSafeInteger(halves) && Math.abs(halves % 2) === 1 && halves / scale / 2 === value
  return (isTie ? (2 * Math.round(halves / 4)) / scale : value).toFixed(digits)
}
