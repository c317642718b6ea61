import {listAll, listSome} from '../../text.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asText, asTexts, isJsonArray, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {Report, Spot} from '../schema-diagnostic.js'
import {additionalOf, INT_OR_STRING, itemsOf, listOf, propertiesOf, type Schema} from '../schema-node.js'
import {breaksPattern} from './breaks-pattern.js'

/** A value within a default: the name of its place in the server's messages, and the path to it. */
interface ValuePlace {
  readonly name: string
  readonly steps: readonly (string | number)[]
}

/**
 * Reports where a default violates the rules of its schema: type, enum, bounds, lengths, counts, required fields, and
 * patterns as far as `breaksPattern` checks them, and the formats below. Not checked are junctors and rules in CEL.
 */
export function checkValue(value: JsonValue, schema: Schema, spot: Spot, report: Report): void {
  const tell: Tell = ({name, steps}, message) => {
    const path = name === '' ? spot.path : `${spot.path}.${name}`
    report('default', {path, place: [...spot.place, ...steps]}, message)
  }
  checkNode(value, schema, {name: '', steps: []}, tell)
}

/** A few of the values that an enum allows, for messages. */
const MAX_LISTED = 10

type Tell = (place: ValuePlace, message: string) => void

function checkNode(value: JsonValue, schema: Schema, place: ValuePlace, tell: Tell): void {
  if (!hasType(value, schema)) tell(place, `it is not of type ${asText(schema.type)}`)
  const allowed = listOf(schema.enum)
  if (allowed.length > 0 && !allowed.some(option => jsonEqual(option, value)))
    tell(place, `it must be ${allowedText(allowed)}`)
  for (const message of rangeErrors(value, schema)) tell(place, message)
  if (isJsonArray(value)) {
    const items = itemsOf(schema) ?? {}
    value.forEach((item, index) => {
      checkNode(item, items, {name: `${place.name}[${index}]`, steps: [...place.steps, index]}, tell)
    })
  } else if (isJsonObject(value)) checkField(value, schema, place, tell)
}

function allowedText(allowed: readonly JsonValue[]): string {
  const texts = allowed.map(option => writeJson(option).trim())
  return texts.length > MAX_LISTED ? `one of ${listSome(texts, MAX_LISTED)}` : listAll(texts, 'or')
}

function checkField(
  value: Readonly<Record<string, JsonValue>>,
  schema: Schema,
  place: ValuePlace,
  tell: Tell,
): void {
  const below = (name: string): ValuePlace => ({
    name: place.name === '' ? name : `${place.name}.${name}`,
    steps: [...place.steps, name],
  })
  for (const name of asTexts(schema.required)) {
    if (!Object.hasOwn(value, name)) tell(below(name), 'it is required')
  }
  const fields = new Map(propertiesOf(schema))
  for (const [name, part] of Object.entries(value)) {
    const fieldSchema = fields.get(name) ?? additionalOf(schema)
    if (fieldSchema !== undefined) checkNode(part, fieldSchema, below(name), tell)
  }
}

/** A format other than of numbers accepts every string and list here. */
function hasType(value: JsonValue, schema: Schema): boolean {
  const type = asText(schema.type)
  if (type === '' || schema[INT_OR_STRING] === true) return true
  if (value === null) return schema.nullable === true
  const isNumeric = type === 'number' || type === 'integer'
  if (asText(schema.format) !== '' && !isNumeric && (typeof value === 'string' || isJsonArray(value)))
    return true
  return typesOf(value).includes(type)
}

function typesOf(value: JsonValue): readonly string[] {
  if (isJsonArray(value)) return ['array']
  if (typeof value === 'bigint') return ['integer', 'number']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value]
}

function rangeErrors(value: JsonValue, schema: Schema): string[] {
  if (typeof value === 'string') return textDiagnostics(value, schema)
  if (isJsonArray(value)) return countDiagnostics(value.length, schema.minItems, schema.maxItems, 'items')
  if (isJsonObject(value)) {
    return countDiagnostics(Object.keys(value).length, schema.minProperties, schema.maxProperties, 'fields')
  }
  return typeof value === 'number' || typeof value === 'bigint' ? boundDiagnostics(Number(value), schema) : []
}

function textDiagnostics(value: string, schema: Schema): string[] {
  // Go counts code points, and stops at the first error.
  const diagnostics = countDiagnostics([...value].length, schema.minLength, schema.maxLength, 'characters')
  const {isIt = () => true, named = ''} = FORMATS.get(asText(schema.format)) ?? {}
  return [
    ...diagnostics,
    ...(breaksPattern(value, asText(schema.pattern)) ? ['it does not match the pattern'] : []),
    ...(isIt(value) ? [] : [`it is not ${named}`]),
  ]
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/

/** The formats that texts of packages have; servers know more. */
const FORMATS = new Map([
  ['byte', {named: 'base64', isIt: (text: string) => BASE64.test(text)}],
  ['date', {named: 'a date', isIt: isDate}],
  ['date-time', {named: 'a date-time', isIt: isDateTime}],
])

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

function countDiagnostics(
  count: number,
  least: JsonValue | undefined,
  most: JsonValue | undefined,
  what: string,
): string[] {
  return [
    ...(isNumber(least) && count < Number(least) ? [`it has fewer than ${least} ${what}`] : []),
    ...(isNumber(most) && count > Number(most) ? [`it has more than ${most} ${what}`] : []),
  ]
}

function boundDiagnostics(value: number, schema: Schema): string[] {
  const {minimum, maximum, multipleOf} = schema
  const belowLeast = (bound: number) => (schema.exclusiveMinimum === true ? value <= bound : value < bound)
  const aboveMost = (bound: number) => (schema.exclusiveMaximum === true ? value >= bound : value > bound)
  return [
    ...(isNumber(minimum) && belowLeast(Number(minimum)) ? [`it is below ${minimum}`] : []),
    ...(isNumber(maximum) && aboveMost(Number(maximum)) ? [`it is above ${maximum}`] : []),
    ...(isWhole(multipleOf) && Number.isSafeInteger(value) && value % multipleOf !== 0
      ? [`it is not a multiple of ${multipleOf}`]
      : []),
  ]
}

function isNumber(value: JsonValue | undefined): value is bigint | number {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isWhole(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}
