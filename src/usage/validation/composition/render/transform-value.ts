import {createHash} from 'node:crypto'
import type {MatchPattern} from '../../../../crd/checks/value-limits.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'
import {converted} from './convert-value.js'
import {goFormat, goJson, goText, MAX_TEXT} from './go-text.js'
import type {TransformOutcome} from './outcome.js'

/** Returns the groups of the first match of a pattern of Go, the whole match first; null without one, undefined if the pattern cannot be read. */
export type FindGroups = (pattern: string, text: string) => readonly string[] | null | undefined

/** What reads patterns of Go. */
export interface PatternReader {
  readonly match?: MatchPattern
  readonly findGroups?: FindGroups
}

/** Applies transforms to a value, as function-patch-and-transform does; an error has the index of its transform. */
export function transformedValue(
  value: JsonValue,
  transforms: readonly JsonObject[],
  reader: PatternReader,
): TransformOutcome & {readonly index?: number} {
  let current = value
  for (const [index, transform] of transforms.entries()) {
    const next = transformedOnce(current, transform, reader)
    if (!('value' in next)) return {...next, index}
    if (typeof next.value === 'string' && next.value.length > MAX_TEXT) return UNCERTAIN
    current = next.value
  }
  return {value: current}
}

const UNCERTAIN = {isUncertain: true} as const

function transformedOnce(value: JsonValue, transform: JsonObject, reader: PatternReader): TransformOutcome {
  const type = asText(transform.type)
  const settings = asObject(transform[type])
  switch (type) {
    case 'map':
      return mapped(value, settings)
    case 'match':
      return matched(value, settings, reader)
    case 'math':
      return calculated(value, settings)
    case 'string':
      return textual(value, settings, reader)
    case 'convert':
      return converted(value, settings)
    default:
      return UNCERTAIN
  }
}

function mapped(value: JsonValue, pairs: JsonObject): TransformOutcome {
  if (typeof value !== 'string') return {error: 'a map transform reads only text'}
  const own = Object.hasOwn(pairs, value) ? pairs[value] : undefined
  if (own === null) return {error: `the map has no value for the key ${goJson(value)}`}
  return own === undefined ? {error: `the map has no key ${goJson(value)}`} : {value: floats(own)}
}

/** Numbers of settings are read as fractions. */
function floats(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (isJsonArray(value)) return value.map(floats)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, floats(field)]))
}

function matched(value: JsonValue, settings: JsonObject, reader: PatternReader): TransformOutcome {
  for (const pattern of asObjects(settings.patterns)) {
    if (typeof value !== 'string') return {error: 'a match transform reads only text'}
    const isMatch = matches(value, pattern, reader)
    if (isMatch === undefined) return UNCERTAIN
    if (typeof isMatch === 'object') return isMatch
    if (isMatch) return {value: floats(pattern.result ?? null)}
  }
  return fallback(value, settings)
}

function fallback(value: JsonValue, settings: JsonObject): TransformOutcome {
  const {fallbackTo, fallbackValue} = settings
  if (fallbackTo !== 'Input') return {value: floats(fallbackValue ?? null)}
  if (fallbackValue !== undefined && fallbackValue !== null)
    return {error: 'fallbackTo: Input and a fallbackValue are mutually exclusive'}
  return {value}
}

function matches(
  text: string,
  {type, literal, regexp}: JsonObject,
  {match}: PatternReader,
): boolean | undefined | {readonly error: string} {
  if (type === 'literal' && typeof literal === 'string') return text === literal
  if (type === 'regexp' && typeof regexp === 'string') return match?.(regexp, text)
  return {error: 'the type of a pattern must be literal or regexp, with a field of that name'}
}

const MATH: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Multiply: 'multiply',
    ClampMin: 'clampMin',
    ClampMax: 'clampMax',
  }),
)

function calculated(value: JsonValue, {type, ...settings}: JsonObject): TransformOutcome {
  if (typeof value !== 'number' && typeof value !== 'bigint')
    return {error: 'a math transform reads only numbers'}
  const setting = Number(settings[MATH.get(asText(type)) ?? ''])
  if (!Number.isSafeInteger(setting) || !Number.isFinite(Number(value))) return UNCERTAIN
  if (type === 'Multiply')
    return {value: typeof value === 'bigint' ? value * BigInt(setting) : value * setting}
  return {value: clamped(value, BigInt(setting), type === 'ClampMin')}
}

/** The limit is compared with the whole part. */
function clamped(value: number | bigint, limit: bigint, isMinimum: boolean): number | bigint {
  const whole = typeof value === 'bigint' ? value : BigInt(Math.trunc(value))
  const isBeyond = isMinimum ? whole < limit : whole > limit
  return isBeyond ? limit : value
}

function textual(value: JsonValue, settings: JsonObject, reader: PatternReader): TransformOutcome {
  const {type, fmt, convert, trim, regexp, join, replace} = settings
  switch (type) {
    case 'Format':
      return certain(goFormat(asText(fmt), [value]))
    case 'Convert':
      return textConverted(value, asText(convert))
    case 'TrimPrefix':
    case 'TrimSuffix':
      return {value: trimmed(goText(value), asText(trim), type === 'TrimPrefix')}
    case 'Regexp':
      return matchedText(goText(value), asObject(regexp), reader)
    case 'Join':
      return joined(value, asText(asObject(join).separator))
    case 'Replace': {
      const {search, replace: replacement} = asObject(replace)
      return certain(replacedText(goText(value), asText(search), asText(replacement)))
    }
    default:
      return UNCERTAIN
  }
}

function certain(value: string | undefined): TransformOutcome {
  return value === undefined ? UNCERTAIN : {value}
}

function trimmed(text: string, part: string, isPrefix: boolean): string {
  if (part === '') return text
  if (isPrefix) return text.startsWith(part) ? text.slice(part.length) : text
  return text.endsWith(part) ? text.slice(0, -part.length) : text
}

/** Returns undefined for a text that is too long, and without a text to search, which the function rejects. */
function replacedText(text: string, search: string, replacement: string): string | undefined {
  if (search === '') return undefined
  const count = text.split(search).length - 1
  if (text.length + count * replacement.length > MAX_TEXT) return undefined
  return text.replaceAll(search, () => replacement)
}

function matchedText(
  text: string,
  {match, group}: JsonObject,
  {findGroups}: PatternReader,
): TransformOutcome {
  const groups = findGroups?.(asText(match), text)
  if (groups === undefined) return UNCERTAIN
  const own = groups?.[Number(group ?? 0)]
  return own === undefined
    ? {error: `the pattern ${asText(match)} has no match for group ${Number(group ?? 0)} in ${goJson(text)}`}
    : {value: own}
}

/** The function cuts one character off the end, however long the separator is. */
function joined(value: JsonValue, separator: string): TransformOutcome {
  if (!isJsonArray(value)) return {error: 'a join reads only lists'}
  if (value.length * separator.length > MAX_TEXT) return UNCERTAIN
  const text = value.map(item => `${goText(item)}${separator}`).join('')
  return {value: value.length === 0 || separator === '' ? text : text.slice(0, -1)}
}

const HASHES: ReadonlyMap<string, string> = new Map(
  Object.entries({ToSha1: 'sha1', ToSha256: 'sha256', ToSha512: 'sha512'}),
)

function textConverted(value: JsonValue, conversion: string): TransformOutcome {
  const hash = HASHES.get(conversion)
  const data = typeof value === 'string' ? value : goJson(value)
  if (hash !== undefined) return {value: createHash(hash).update(data).digest('hex')}
  switch (conversion) {
    case 'ToUpper':
      return {value: byCharacter(goText(value), own => (isOne(own.toUpperCase()) ? own.toUpperCase() : own))}
    case 'ToLower':
      return {value: byCharacter(goText(value), own => [...own.toLowerCase()][0] ?? own)}
    case 'ToJson':
      return {value: goJson(value)}
    case 'ToBase64':
      return {value: Buffer.from(goText(value)).toString('base64')}
    case 'FromBase64':
      return decoded(goText(value))
    case 'ToAdler32':
      return {value: adler32(Buffer.from(data))}
    default:
      return UNCERTAIN
  }
}

/** Go changes each character to one other at most. */
function byCharacter(text: string, change: (character: string) => string): string {
  return [...text].map(change).join('')
}

function isOne(text: string): boolean {
  return [...text].length === 1
}

/** Go ignores line breaks, and demands the padding. */
function decoded(text: string): TransformOutcome {
  const plain = text.replaceAll(/[\r\n]/g, '')
  const isBase64 = plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)
  return isBase64 ? {value: Buffer.from(plain, 'base64').toString()} : {error: 'the text is not base64'}
}

const ADLER = 65_521

function adler32(bytes: Uint8Array): string {
  let [low, high] = [1, 0]
  for (const byte of bytes) {
    low = (low + byte) % ADLER
    high = (high + low) % ADLER
  }
  return String(high * 65_536 + low)
}
