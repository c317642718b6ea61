import type {Environment} from '@marcbachmann/cel-js'
import {RE2JS} from 're2js'

/** The functions of standard CEL and of Kubernetes' strings library that rules can call. */
export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['all', 'exists', 'exists_one', 'filter', 'has', 'map'],
  ...['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'size', 'string', 'timestamp', 'type', 'uint'],
  ...['contains', 'endsWith', 'matches', 'startsWith'],
  ...['getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getFullYear', 'getHours'],
  ...['getMilliseconds', 'getMinutes', 'getMonth', 'getSeconds'],
  ...['charAt', 'indexOf', 'join', 'lastIndexOf', 'lowerAscii', 'replace', 'split', 'substring', 'trim'],
  'upperAscii',
])

/** Functions and namespaces of the CEL library of Kubernetes that are not available, by what they are for. */
export const KUBERNETES_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  URLs: [...['url', 'isURL', 'getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath', 'getQuery']],
  'IP addresses': [
    ...['ip', 'isIP', 'isCanonical', 'family', 'isUnspecified', 'isLoopback', 'isLinkLocalMulticast'],
    ...['isLinkLocalUnicast', 'isGlobalUnicast', 'cidr', 'isCIDR', 'containsIP', 'containsCIDR'],
    ...['prefixLength', 'masked'],
  ],
  quantities: [
    ...['quantity', 'isQuantity', 'isGreaterThan', 'isLessThan', 'compareTo', 'isInteger', 'asInteger'],
    ...['asApproximateFloat', 'sign', 'add', 'sub'],
  ],
  'semantic versions': ['semver', 'isSemver', 'major', 'minor', 'patch'],
  'regular expressions': ['find', 'findAll'],
  lists: ['isSorted', 'sum', 'min', 'max'],
  sets: ['sets', 'equivalent', 'intersects'],
  formats: ['format', 'named', 'validate', 'quote'],
  authorization: ['authorizer', 'serviceAccount', 'group', 'resource', 'subresource', 'check', 'allowed'],
  'JSON patches': ['jsonpatch', 'escapeKey'],
  optionals: ['optional', 'orValue', 'hasValue', 'optMap', 'optFlatMap'],
}

/** Registers the functions that the library lacks or evaluates unlike Go, each under its name and `_`. */
export function registerFunctions(environment: Environment): void {
  for (const [signature, evaluate] of Object.entries(OWN)) {
    const [, receiver = '', name = '', rest = ''] = /^(?:(.+)\.)?(\w+)(\(.*)$/.exec(signature) ?? []
    environment.registerFunction(`${receiver === '' ? '' : `${receiver}.`}${name}_${rest}`, evaluate)
  }
}

/** Returns the name by which a function is registered. */
export function registeredName(name: string): string {
  return OWN_NAMES.has(name) ? `${name}_` : name
}

type Evaluate = (...args: never[]) => unknown

const OWN: Readonly<Record<string, Evaluate>> = {
  'int(int): int': (number: bigint) => number,
  'int(uint): int': (number: {valueOf: () => bigint}) => inRange(number.valueOf()),
  'int(double): int': (number: number) => inRange(BigInt(Math.trunc(number))),
  'int(string): int': intOf,
  'double(double): double': (number: number) => number,
  'double(int): double': Number,
  'double(uint): double': Number,
  'double(string): double': doubleOf,
  'string.matches(string): bool': matches,
  'matches(string, string): bool': matches,
  'string.lowerAscii(): string': (text: string) => text.replace(/[A-Z]+/g, part => part.toLowerCase()),
  'string.upperAscii(): string': (text: string) => text.replace(/[a-z]+/g, part => part.toUpperCase()),
  'string.trim(): string': (text: string) => text.replace(SPACE_BEFORE, '').replace(SPACE_AFTER, ''),
  'string.charAt(int): string': charAt,
  'string.indexOf(string): int': (text: string, part: string) => indexOf(text, part, 0n),
  'string.indexOf(string, int): int': indexOf,
  'string.lastIndexOf(string): int': (text: string, part: string) => lastIndexOf(text, part),
  'string.lastIndexOf(string, int): int': lastIndexOf,
  'string.replace(string, string): string': (text: string, from: string, to: string) =>
    replace(text, from, to, -1n),
  'string.replace(string, string, int): string': replace,
  'string.split(string): list<string>': (text: string, separator: string) => split(text, separator, -1n),
  'string.split(string, int): list<string>': split,
  'string.substring(int): string': (text: string, start: bigint) => substring(text, start),
  'string.substring(int, int): string': substring,
}

const OWN_NAMES = new Set(Object.keys(OWN).map(signature => /(\w+)\(/.exec(signature)?.[1] ?? ''))

/** White space of Unicode, as Go has it. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const SPACE_BEFORE = new RegExp(`^${SPACE}+`)
/** Looks only where white space begins, so that the time is that of reading the text. */
const SPACE_AFTER = new RegExp(`(?<!${SPACE})${SPACE}+$`)

/** Compiling takes longer than matching, and a rule matches many texts with one pattern. */
const patterns = new Map<string, RE2JS>()
const MAX_PATTERNS = 100
const MAX_PATTERN = 1000

/** Matches in linear time, as RE2 does. */
function matches(text: string, pattern: string): boolean {
  return compiled(pattern).matcher(text).find()
}

function compiled(pattern: string): RE2JS {
  const before = patterns.get(pattern)
  if (before !== undefined) return before
  if (pattern.length > MAX_PATTERN)
    throw new Error(`the regular expression is longer than ${MAX_PATTERN} characters`)
  if (patterns.size >= MAX_PATTERNS) patterns.clear()
  const read = RE2JS.compile(pattern)
  patterns.set(pattern, read)
  return read
}

function inRange(number: bigint): bigint {
  if (BigInt.asIntN(64, number) === number) return number
  throw new Error('integer overflow')
}

function intOf(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) throw new Error(`not an integer: ${text}`)
  return inRange(BigInt(text.replace('+', '')))
}

const SPECIAL: Readonly<Record<string, number>> = {inf: Infinity, infinity: Infinity, nan: NaN}

function doubleOf(text: string): number {
  const special = SPECIAL[text.replace(/^[+-]/, '').toLowerCase()]
  if (special !== undefined) return text.startsWith('-') ? -special : special
  if (/^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return Number(text)
  throw new Error(`not a number: ${text}`)
}

function charAt(text: string, index: bigint): string {
  const characters = [...text]
  if (index < 0n || index > BigInt(characters.length)) throw outOfRange(index)
  return characters[Number(index)] ?? ''
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (from < 0n) throw outOfRange(from)
  if (part === '') return from
  const [characters, wanted] = [[...text], [...part]]
  return BigInt(firstAt(characters, wanted, Number(from), 1))
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const [characters, wanted] = [[...text], [...part]]
  if (from !== undefined && from < 0n) throw outOfRange(from)
  if (part === '') return from ?? BigInt(characters.length)
  if (from !== undefined && from >= BigInt(characters.length)) return -1n
  const last = characters.length - wanted.length
  return BigInt(firstAt(characters, wanted, Math.min(Number(from ?? last), last), -1))
}

function firstAt(text: readonly string[], part: readonly string[], from: number, step: 1 | -1): number {
  const last = text.length - part.length
  for (let at = from; at >= 0 && at <= last; at += step)
    if (part.every((character, index) => text[at + index] === character)) return at
  return -1
}

function replace(text: string, from: string, to: string, limit: bigint): string {
  return replaced(text, from, to, limit < 0n ? Infinity : Number(limit))
}

/** An empty text is before each character and at the end, as in Go. */
function replaced(text: string, from: string, to: string, limit: number): string {
  const parts = from === '' ? ['', ...text] : text.split(from)
  const separators = from === '' ? parts.length : parts.length - 1
  const count = Math.min(limit, separators)
  return parts.reduce((joined, part, index) => {
    if (from === '') return joined + part + (index < count ? to : '')
    return index === 0 ? part : joined + (index <= count ? to : from) + part
  }, '')
}

function split(text: string, separator: string, limit: bigint): readonly string[] {
  if (limit === 0n) return []
  const parts = separator === '' ? [...text] : text.split(separator)
  if (limit < 0n || BigInt(parts.length) <= limit) return parts
  const last = Number(limit) - 1
  return [...parts.slice(0, last), parts.slice(last).join(separator)]
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = [...text]
  const length = BigInt(characters.length)
  if (start < 0n || start > length) throw outOfRange(start)
  if (end !== undefined && (end < start || end > length)) throw outOfRange(end)
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('')
}

function outOfRange(index: bigint): Error {
  return new Error(`index out of range: ${index}`)
}
