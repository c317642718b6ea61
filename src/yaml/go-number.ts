/** A number as go-yaml v2 reads it. Whether it is an integer decides how it is written as a key. */
export interface GoNumber {
  readonly kind: 'int' | 'float'
  readonly value: number | bigint
}

/** Digits that are an integer in other readers, and that Go would round to a float: too many for 64 bits. */
export const TOO_LARGE = Symbol('integer of more than 64 bits')

/** Go's integers: a sign, then digits in one of these bases. */
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/
/** The form of nearly all numbers. */
const SMALL = /^(?:0|[1-9][0-9]{0,14})$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const SIGNED_BINARY = /^0b([-+]?)([01]+)$/
const LEADING_POINT = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/

const LEAST_INTEGER = -(2n ** 63n)
const GREATEST_INTEGER = 2n ** 64n - 1n

/**
 * Parses the number of a text, if it is one. Text that begins with a digit or a sign is read without its underscores,
 * as an integer in the notation of Go (`0x1f`, `0o17`, `017`, `0b11`), else as a float; text that begins with a point
 * is read by Go's `ParseFloat`, which accepts underscores only between digits.
 */
export function goNumber(text: string): GoNumber | typeof TOO_LARGE | undefined {
  if (text.startsWith('.')) {
    return LEADING_POINT.test(text) ? float(text.replaceAll('_', '')) : undefined
  }
  const digits = text.replaceAll('_', '')
  if (SMALL.test(digits)) return {kind: 'int', value: Number(digits)}
  const integer = INTEGER.exec(digits) ?? signedBinary(digits)
  const exact = integer === null ? undefined : exactInteger(integer)
  if (exact !== undefined) return {kind: 'int', value: exact}
  if (/^[-+]?[0-9]+$/.test(digits) && integer !== null) return TOO_LARGE
  return FLOAT.test(digits) ? float(digits) : undefined
}

/** `0b+1`: a sign after the prefix, which only go-yaml accepts. */
function signedBinary(digits: string): readonly (string | undefined)[] | null {
  const match = SIGNED_BINARY.exec(digits)
  return match === null ? null : [digits, match[1], undefined, match[2]]
}

/** `parts`: the text, its sign, then its digits in the place of their base. Undefined outside of 64 bits. */
function exactInteger(parts: readonly (string | undefined)[]): number | bigint | undefined {
  const place = parts.findIndex((digits, index) => index >= HEXADECIMAL && digits !== undefined)
  const magnitude = exactMagnitude(parts[place] ?? '', PREFIXES[place] ?? '')
  const value = parts[1] === '-' ? -magnitude : magnitude
  if (value < LEAST_INTEGER || value > GREATEST_INTEGER) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The first group of digits in a match of INTEGER, and for each group the prefix for BigInt. */
const HEXADECIMAL = 2
const PREFIXES = ['', '', '0x', '0b', '0o', '']

/** BigInt of a million digits would take minutes; 64 bits have no more digits than these, without leading zeros. */
const MAX_DIGITS = 64

function exactMagnitude(digits: string, prefix: string): bigint {
  const significant = digits.replace(/^0+(?=.)/, '')
  return significant.length > MAX_DIGITS ? GREATEST_INTEGER + 1n : BigInt(prefix + significant)
}

/** A float beyond every double is a string to Go. */
function float(digits: string): GoNumber | undefined {
  const value = Number(digits)
  return Number.isFinite(value) ? {kind: 'float', value} : undefined
}
