import {Buffer} from 'node:buffer'
import type {YamlRule} from './yaml-error.js'
import {goNumber, TOO_LARGE} from './go-number.js'

/** The value of a scalar. A float can be infinite or NaN, which only a key can express in JSON. */
export type GoScalar =
  | {readonly kind: 'string'; readonly value: string}
  | {readonly kind: 'null'; readonly value: null}
  | {readonly kind: 'bool'; readonly value: boolean}
  | {readonly kind: 'int'; readonly value: number | bigint}
  | {readonly kind: 'float'; readonly value: number | bigint}
  | {readonly kind: 'rejected'; readonly rule: YamlRule; readonly message: string}

const TAG = 'tag:yaml.org,2002:'
/** A date, or a date and a time, in the forms that go-yaml reads. They stay strings; only a tag makes one a date. */
const TIMESTAMP =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?)?$/
/** The tag of `<<` for a merge. */
export const MERGE_TAG = `${TAG}merge`

/**
 * Resolves a scalar as go-yaml v2 does: https://yaml.org/type/ as far as it follows that. `plain` is text without
 * quotes; the tag is a full one, or '' for none. Quoted text without a tag is a string, and so is text with an
 * unknown tag.
 */
export function goScalar(text: string, plain: boolean, tag: string): GoScalar {
  if (tag === '') return (plain ? implicit(text) : undefined) ?? {kind: 'string', value: text}
  const kind = tag.startsWith(TAG) ? tag.slice(TAG.length) : ''
  if (kind === 'binary') return binary(text)
  if (kind === 'timestamp' && !TIMESTAMP.test(text)) return mismatch(text, kind)
  return isKind(kind) ? explicit(text, kind) : {kind: 'string', value: text}
}

type TaggedKind = 'null' | 'bool' | 'int' | 'float'

function isKind(tag: string): tag is TaggedKind {
  return tag === 'null' || tag === 'bool' || tag === 'int' || tag === 'float'
}

/** Reports whether plain text without a tag can only be a string, by its first character: most is. */
export function isWord(text: string): boolean {
  return text !== '' && !SPECIAL_STARTS.has(text.charCodeAt(0))
}

/** Reports whether plain text without a tag is null, a boolean, an infinity or not a number. */
export function isTypedWord(text: string): boolean {
  return text.length <= LONGEST_WORD && WORDS.has(text)
}

const SPECIAL_STARTS: ReadonlySet<number> = new Set(Buffer.from('-+.~0123456789yYnNtTfFoO'))

const NULL: GoScalar = {kind: 'null', value: null}
const WORDS: ReadonlyMap<string, GoScalar> = new Map<string, GoScalar>([
  ...['', '~', 'null', 'Null', 'NULL'].map(word => [word, NULL] as const),
  ...bool(true, ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']),
  ...bool(false, ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']),
  ...float(Number.NaN, ['.nan', '.NaN', '.NAN']),
  ...float(Number.POSITIVE_INFINITY, ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']),
  ...float(Number.NEGATIVE_INFINITY, ['-.inf', '-.Inf', '-.INF']),
])
const LONGEST_WORD = 5

function bool(value: boolean, words: readonly string[]): (readonly [string, GoScalar])[] {
  return words.map(word => [word, {kind: 'bool', value}])
}

function float(value: number, words: readonly string[]): (readonly [string, GoScalar])[] {
  return words.map(word => [word, {kind: 'float', value}])
}

/** The value of text without quotes if it is not a string. */
function implicit(text: string): GoScalar | undefined {
  if (isTypedWord(text)) return WORDS.get(text)
  if (!/^[-+.0-9]/.test(text)) return undefined
  const number = goNumber(text)
  if (number !== TOO_LARGE) return number
  const message = `${abbreviated(text)} is too large for an integer of 64 bits; quote it if it is text`
  return {kind: 'rejected', rule: 'yaml-number', message}
}

/** A tag sets the type anyway; only an integer can become a float. */
function explicit(text: string, kind: TaggedKind): GoScalar {
  const scalar = implicit(text)
  if (scalar === undefined) return mismatch(text, kind)
  if (scalar.kind === kind || scalar.kind === 'rejected') return scalar
  const isWidened = kind === 'float' && scalar.kind === 'int' && fitsInt64(scalar.value)
  return isWidened ? {kind: 'float', value: Number(scalar.value)} : mismatch(text, kind)
}

function fitsInt64(value: number | bigint): boolean {
  return BigInt.asIntN(64, BigInt(value)) === BigInt(value)
}

function mismatch(text: string, kind: string): GoScalar {
  return {kind: 'rejected', rule: 'yaml-syntax', message: `${abbreviated(text)} is not a valid !!${kind}`}
}

/** Base64 of UTF-8 text; other bytes cannot be represented in JSON. */
function binary(text: string): GoScalar {
  const digits = text.replaceAll(/[\r\n]/g, '')
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) return mismatch(text, 'binary')
  try {
    const decoder = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true})
    return {kind: 'string', value: decoder.decode(Buffer.from(digits, 'base64'))}
  } catch {
    return {kind: 'rejected', rule: 'yaml-encoding', message: 'a !!binary value is not UTF-8 text'}
  }
}

function abbreviated(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
