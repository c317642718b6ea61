import {asText, isJsonArray, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {Schema} from '../schema-node.js'
import {breaksPattern} from './breaks-pattern.js'

/** Reports whether a text matches a pattern of Go; undefined if that is not known. */
export type MatchPattern = (pattern: string, text: string) => boolean | undefined

/** A keyword that a value violates, with the reason; without one, it is not known whether the value does. */
export interface LimitError {
  readonly keyword: string
  readonly message?: string
}

/** Matches plain patterns only; others are not judged. */
export const matchPlain: MatchPattern = (pattern, text) => (breaksPattern(text, pattern) ? false : undefined)

/** Returns the limits of a schema that a value exceeds: lengths, counts, bounds, the pattern and the format. */
export function limitErrors(value: JsonValue, schema: Schema, match: MatchPattern): readonly LimitError[] {
  if (typeof value === 'string') return textErrors(value, schema, match)
  if (isJsonArray(value)) return countErrors(value.length, schema, ['minItems', 'maxItems'], 'items')
  if (isJsonObject(value))
    return countErrors(Object.keys(value).length, schema, ['minProperties', 'maxProperties'], 'fields')
  return typeof value === 'number' || typeof value === 'bigint' ? boundErrors(value, schema) : []
}

/** Most values have no limit. */
const NONE: readonly LimitError[] = []
const LIMITS_OF_TEXTS = ['minLength', 'maxLength', 'pattern', 'format']
const LIMITS_OF_NUMBERS = ['minimum', 'maximum', 'multipleOf', 'format']

/** Go counts code points. */
function textErrors(value: string, schema: Schema, match: MatchPattern): readonly LimitError[] {
  if (LIMITS_OF_TEXTS.every(keyword => schema[keyword] === undefined)) return NONE
  const counted = countErrors([...value].length, schema, ['minLength', 'maxLength'], 'characters')
  const pattern = asText(schema.pattern)
  const matched = pattern === '' || match(pattern, value)
  const format = formatError(value, asText(schema.format))
  return [
    ...counted,
    ...(matched === false ? [{keyword: 'pattern', message: 'it does not match the pattern'}] : []),
    ...(matched === undefined ? [{keyword: 'pattern'}] : []),
    ...(format === undefined ? [] : [format]),
  ]
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/

/** The formats of texts that are judged here. */
const FORMATS = new Map([
  ['byte', {named: 'base64', isIt: (text: string) => BASE64.test(text)}],
  ['date', {named: 'a date', isIt: isDate}],
  ['date-time', {named: 'a date-time', isIt: isDateTime}],
])

/** Further formats of texts that servers judge. */
const UNJUDGED: ReadonlySet<string> = new Set([
  ...['bsonobjectid', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'duration', 'datetime'],
  ...['uuid', 'uuid3', 'uuid4', 'uuid5', 'isbn', 'isbn10', 'isbn13', 'creditcard', 'ssn', 'hexcolor'],
  ...['rgbcolor', 'k8s-short-name', 'k8s-long-name'],
])

function formatError(text: string, format: string): LimitError | undefined {
  const keyword = 'format'
  if (UNJUDGED.has(format)) return {keyword}
  const {isIt = () => true, named = ''} = FORMATS.get(format) ?? {}
  return isIt(text) ? undefined : {keyword, message: `it is not ${named}`}
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  )
}

function isDateTime(text: string): boolean {
  const [date = '', clock = ''] = text.toLowerCase().split('t')
  return isDate(date) && CLOCK.test(clock)
}

function countErrors(
  count: number,
  schema: Schema,
  [least, most]: readonly [string, string],
  what: string,
): readonly LimitError[] {
  const [minimum, maximum] = [schema[least], schema[most]]
  if (minimum === undefined && maximum === undefined) return NONE
  const isFewer = isNumber(minimum) && count < Number(minimum)
  const isMore = isNumber(maximum) && count > Number(maximum)
  return [
    ...(isFewer ? [{keyword: least, message: `it has fewer than ${minimum} ${what}`}] : []),
    ...(isMore ? [{keyword: most, message: `it has more than ${maximum} ${what}`}] : []),
  ]
}

const INT32 = 2 ** 31

function boundErrors(number: number | bigint, schema: Schema): readonly LimitError[] {
  if (LIMITS_OF_NUMBERS.every(keyword => schema[keyword] === undefined)) return NONE
  const value = Number(number)
  const {minimum, maximum} = schema
  const isBelow = (bound: number) => (schema.exclusiveMinimum === true ? value <= bound : value < bound)
  const isAbove = (bound: number) => (schema.exclusiveMaximum === true ? value >= bound : value > bound)
  const isTooLong =
    schema.type === 'integer' && schema.format === 'int32' && (value < -INT32 || value >= INT32)
  return [
    ...(isNumber(minimum) && isBelow(Number(minimum))
      ? [{keyword: 'minimum', message: `it is below ${minimum}`}]
      : []),
    ...(isNumber(maximum) && isAbove(Number(maximum))
      ? [{keyword: 'maximum', message: `it is above ${maximum}`}]
      : []),
    ...multipleErrors(value, schema.multipleOf),
    ...(isTooLong ? [{keyword: 'format', message: 'it has more than 32 bits'}] : []),
  ]
}

function multipleErrors(value: number, multipleOf: JsonValue | undefined): readonly LimitError[] {
  const keyword = 'multipleOf'
  if (!isNumber(multipleOf)) return []
  if (!isWhole(multipleOf) || !Number.isSafeInteger(value)) return [{keyword}]
  return value % multipleOf === 0 ? [] : [{keyword, message: `it is not a multiple of ${multipleOf}`}]
}

function isNumber(value: JsonValue | undefined): value is bigint | number {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isWhole(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
