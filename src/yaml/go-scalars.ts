import type {YamlRule} from './yaml-fault.js'

/**
 * What a plain scalar means to go-yaml v2, which Kubernetes tools read with: YAML 1.1's booleans and octals, but no
 * timestamps and no base-60 numbers. `isFloat` tells 1.0 from 1, which matters for keys alone.
 */
export interface GoScalar {
  readonly value: null | boolean | number | bigint | string
  readonly isFloat?: true
}

/** A scalar that JSON cannot hold, or its tag refuses. */
export interface RefusedScalar {
  readonly rule: YamlRule
  readonly message: string
}

const WORDS: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    word => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    word => [word, false] as const,
  ),
])

const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9][0-9]*|0)$/
const DIGITS = /^[-+]?[0-9]+$/

const [MIN_INT64, MAX_INT64, MAX_UINT64] = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 64n - 1n]

/** Resolves a plain scalar without a tag. */
export function resolvePlain(text: string): GoScalar | RefusedScalar {
  const word = WORDS.get(text)
  if (word !== undefined) return {value: word}
  return mayBeNumber(text.charCodeAt(0)) ? resolveNumber(text) : {value: text}
}

/** A digit, a sign or a dot. */
function mayBeNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46
}

function resolveNumber(text: string): GoScalar | RefusedScalar {
  if (NOT_FINITE.test(text)) return {rule: 'yaml-number', message: `${text} is no number in JSON`}
  // go-yaml drops underscores, but not from a number that begins with its point.
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '')
  const integer = INTEGER.test(plain) ? parseInteger(plain) : undefined
  if (integer !== undefined) return {value: integer}
  if (!FLOAT.test(plain)) return {value: text}
  if (DIGITS.test(plain) && !Number.isSafeInteger(Number(plain))) {
    return {rule: 'yaml-number', message: `${text} is an integer that 64 bits do not hold`}
  }
  const float = Number(plain)
  return Number.isFinite(float) ? {value: float === 0 ? 0 : float, isFloat: true} : {value: text}
}

/** Go's ParseInt with base 0, then its ParseUint; undefined where 64 bits do not suffice. */
function parseInteger(text: string): number | bigint | undefined {
  const signed = text.startsWith('-') || text.startsWith('+')
  const magnitude = BigInt(withExplicitOctal(signed ? text.slice(1) : text))
  const value = text.startsWith('-') ? -magnitude : magnitude
  if (value < MIN_INT64 || value > (signed ? MAX_INT64 : MAX_UINT64)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function withExplicitOctal(digits: string): string {
  return /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase()
}

/** Resolves a scalar that carries a tag; tags that go-yaml does not know leave the text as it is. */
export function resolveTagged(tag: string, text: string): GoScalar | RefusedScalar {
  switch (tag) {
    case '!!binary':
      return decodeBinary(text)
    case '!!null':
    case '!!bool':
    case '!!int':
    case '!!float':
      return resolveWanted(tag, text)
    default:
      return {value: text}
  }
}

const WANTED: Readonly<Record<string, (value: GoScalar['value']) => boolean>> = {
  '!!null': value => value === null,
  '!!bool': value => typeof value === 'boolean',
  '!!int': value => typeof value === 'number' || typeof value === 'bigint',
  '!!float': value => typeof value === 'number' || typeof value === 'bigint',
}

function resolveWanted(tag: string, text: string): GoScalar | RefusedScalar {
  const resolved = resolvePlain(text)
  if ('rule' in resolved) return resolved
  const fits = WANTED[tag]?.(resolved.value) === true && !(tag === '!!int' && resolved.isFloat === true)
  return fits ? resolved : {rule: 'yaml-syntax', message: `${JSON.stringify(text)} cannot be read as ${tag}`}
}

function decodeBinary(text: string): GoScalar | RefusedScalar {
  const compact = text.replace(/\s/g, '')
  const bytes = Buffer.from(compact, 'base64')
  const decoded = bytes.toString('utf8')
  const exact = bytes.toString('base64') === compact && Buffer.from(decoded).equals(bytes)
  return exact
    ? {value: decoded}
    : {rule: 'yaml-syntax', message: 'the !!binary value is no base64 of UTF-8 text'}
}

/** A scalar as the key of a JSON object, as sigs.k8s.io/yaml writes it; undefined where it has no form. */
export function keyText({value, isFloat}: GoScalar): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return isFloat === true ? formatFloat32(value) : String(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint') return value > MAX_INT64 ? undefined : String(value)
  return undefined
}

/** Go's FormatFloat(value, 'g', -1, 32): the fewest digits that tell the value from other 32-bit floats. */
function formatFloat32(value: number): string {
  const single = Math.fround(value)
  if (single === 0 || !Number.isFinite(single)) return String(single)
  let digits = 1
  while (Math.fround(Number(single.toPrecision(digits))) !== single) digits += 1
  const [mantissa = '', exponent = ''] = single.toExponential(digits - 1).split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return single.toFixed(Math.max(0, digits - 1 - power))
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
