import {isJsonArray, isJsonObject} from './json-value.js'
import type {JsonValue} from './json-value.js'

/** What may be an integer that a double cannot hold; digits in strings match too, which only costs time. */
const MAYBE_LARGE = /[:[,]\s*-?\d{16}/
/** The strings and numbers of a JSON text. The colon tells keys from values. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g
/** 64 bits have no more digits; converting millions of them would take minutes. */
const LARGE_INTEGER = /^-?\d{16,20}$/

/** Parses JSON; integers that a double cannot hold exactly become bigints. Throws `SyntaxError`. */
export function parseExactJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  return MAYBE_LARGE.test(text) ? reviveIntegers(text) : value
}

/** Numbers become strings that begin with n, strings such that begin with s, so that none is taken for another. */
function reviveIntegers(text: string): JsonValue {
  const marked = text.replace(TOKENS, (token, colon: string | undefined) => {
    if (token.startsWith('"')) return colon === undefined ? `"s${token.slice(1)}` : token
    return LARGE_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"n${token}"` : token
  })
  return JSON.parse(marked, (_key, value: JsonValue) => {
    if (typeof value !== 'string') return value
    return value.startsWith('n') ? BigInt(value.slice(1)) : value.slice(1)
  }) as JsonValue
}

/** JSON on one line, in the order of the keys; bigints in full. */
export function compactJson(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (isJsonArray(value)) return `[${value.map(compactJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, each]) => (each as unknown) !== undefined)
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${compactJson(each)}`).join(',')}}`
}
