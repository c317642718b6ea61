import {isJsonArray, isJsonObject} from './json-value.js'
import type {JsonValue} from './json-value.js'

/** Matches integers that a double may not hold; digits in strings match too, which only costs time. */
const MAYBE_LARGE = /[:[,]\s*-?\d{16}/
const MIN_DIGITS = 16
/** 64 bits have no more digits than 20; converting millions of them would take minutes. */
const LARGE_INTEGER = /(?<![-+.\deE])-?\d{16,20}(?![.\deE])/g

/** Parses JSON; integers that a double cannot hold exactly become bigints. Throws `SyntaxError`. */
export function parseExactJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  if (!MAYBE_LARGE.test(text)) return value
  const mark = unusedMark(text)
  return restored(JSON.parse(marked(text, mark)) as JsonValue, mark)
}

/** Returns letters that the text does not contain; doubled, so that few attempts are enough for any text. */
function unusedMark(text: string): string {
  let mark = 'bigint'
  while (text.includes(mark)) mark += mark
  return mark
}

/**
 * Turns large integers into strings that begin with the mark. Strings are skipped by hand: a regular expression for them
 * overflows the stack at millions of escapes.
 */
function marked(text: string, mark: string): string {
  const quotedIfLarge = (digits: string) =>
    Number.isSafeInteger(Number(digits)) ? digits : `"${mark}${digits}"`
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at)
    const start = quote < 0 ? text.length : quote
    const end = endOfString(text, start)
    const between = text.slice(at, start)
    parts.push(between.length < MIN_DIGITS ? between : between.replace(LARGE_INTEGER, quotedIfLarge))
    parts.push(text.slice(start, end))
    at = end
  }
  return parts.join('')
}

/** Returns the index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

function restored(value: JsonValue, mark: string): JsonValue {
  if (typeof value === 'string') return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
  if (isJsonArray(value)) return value.map(item => restored(item, mark))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restored(item, mark)]))
}

/** JSON on one line, in the order of the keys; bigints in full. */
export function compactJson(value: JsonValue): string {
  if (typeof value === 'bigint') return String(value)
  if (isJsonArray(value)) return `[${value.map(compactJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, item]) => (item as unknown) !== undefined)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${compactJson(item)}`).join(',')}}`
}

/** Returns about the length of `compactJson`, without writing it: of escapes only the character counts. */
export function compactSize(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2
  if (isJsonArray(value)) return value.reduce<number>((sum, item) => sum + compactSize(item) + 1, 2)
  if (!isJsonObject(value)) return String(value).length
  let size = 2
  for (const [key, item] of Object.entries(value)) size += key.length + 4 + compactSize(item)
  return size
}
