import {listAll, listSome} from '../../text.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {
  asObject,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import type {Spot} from '../schema-diagnostic.js'
import {additionalOf, INT_OR_STRING, itemsOf, listOf, propertyOf, type Schema} from '../schema-node.js'
import {limitErrors, type MatchPattern, matchPlain} from './value-limits.js'

/** Receives what is wrong with a value: the keyword that it violates, its place and the reason. */
export type TellValue = (keyword: string, spot: Spot, message: string) => void

/** How values are judged. */
export interface ValueJudge {
  /** Without it, only plain patterns are judged. */
  readonly match?: MatchPattern
  /** Receives keywords of which it is not known whether a value violates them. */
  readonly undecided?: (keyword: string, spot: Spot) => void
  /** Whether the value is a default: there, a server accepts any value for `x-kubernetes-int-or-string`. */
  readonly isDefault?: boolean
}

/**
 * Reports where a value violates the rules of its schema: type, enum, bounds, lengths, counts, required fields, patterns and
 * formats as far as they are judged, and branches. Not checked are rules in CEL and items that occur twice.
 */
export function checkValue(
  value: JsonValue,
  schema: Schema,
  spot: Spot,
  tell: TellValue,
  {match = matchPlain, undecided = () => undefined, isDefault = false}: ValueJudge = {},
): void {
  checkNode(value, schema, undefined, {around: spot, tell, match, undecided, isDefault})
}

/** The place of a value within its parent; undefined for the checked one. Nearly all are visited without an error, and need no name. */
type ValuePlace = {readonly above: ValuePlace; readonly step: string | number} | undefined

interface Judging extends Required<ValueJudge> {
  readonly around: Spot
  readonly tell: TellValue
}

/** A few of the values that an enum allows, for messages. */
const MAX_LISTED = 10

function checkNode(value: JsonValue, schema: Schema, place: ValuePlace, judging: Judging): void {
  const {tell} = judging
  if (!hasType(value, schema, judging)) {
    const message = `it must be of type ${typeName(schema)}, not ${ownTypeName(value)}`
    tell('type', spotOf(place, judging), message)
  }
  if (schema.enum !== undefined) checkEnum(value, listOf(schema.enum), place, judging)
  // Of null, the server checks nothing else.
  if (value === null) return
  for (const {keyword, message} of limitErrors(value, schema, judging.match)) {
    if (message === undefined) judging.undecided(keyword, spotOf(place, judging))
    else tell(keyword, spotOf(place, judging), message)
  }
  checkBranches(value, schema, place, judging)
  checkParts(value, schema, place, judging)
}

function checkEnum(
  value: JsonValue,
  allowed: readonly JsonValue[],
  place: ValuePlace,
  judging: Judging,
): void {
  if (allowed.length > 0 && !allowed.some(option => jsonEqual(option, value)))
    judging.tell('enum', spotOf(place, judging), `it must be ${allowedText(allowed)}`)
}

/** The name of a place is that of the server's messages. */
function spotOf(place: ValuePlace, {around}: Judging): Spot {
  const steps = stepsOf(place)
  const name = steps.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
  return {path: name === '' ? around.path : `${around.path}.${name}`, place: [...around.place, ...steps]}
}

function stepsOf(place: ValuePlace): FieldPath {
  return place === undefined ? [] : [...stepsOf(place.above), place.step]
}

function allowedText(allowed: readonly JsonValue[]): string {
  const texts = allowed.map(option => writeJson(option).trim())
  return texts.length > MAX_LISTED ? `one of ${listSome(texts, MAX_LISTED)}` : listAll(texts, 'or')
}

function checkParts(value: JsonValue, schema: Schema, place: ValuePlace, judging: Judging): void {
  if (isJsonArray(value)) {
    const items = itemsOf(schema) ?? {}
    for (const [step, item] of value.entries()) checkNode(item, items, {above: place, step}, judging)
  } else if (isJsonObject(value)) checkFields(value, schema, place, judging)
}

function checkFields(
  value: Readonly<Record<string, JsonValue>>,
  schema: Schema,
  place: ValuePlace,
  judging: Judging,
): void {
  for (const step of asTexts(schema.required)) {
    if (Object.hasOwn(value, step)) continue
    judging.tell('required', spotOf({above: place, step}, judging), 'it is required')
  }
  const additional = additionalOf(schema)
  for (const [step, part] of Object.entries(value)) {
    const fieldSchema = propertyOf(schema, step) ?? additional
    if (fieldSchema !== undefined) checkNode(part, fieldSchema, {above: place, step}, judging)
  }
}

/** Whether a value satisfies a branch; undefined if that is not known. */
type Satisfies = boolean | undefined

function checkBranches(value: JsonValue, schema: Schema, place: ValuePlace, judging: Judging): void {
  const {allOf, anyOf, oneOf, not} = schema
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined) return
  checkAll(value, listOf(allOf), place, judging)
  const results = (branches: readonly JsonValue[]) =>
    branches.map(branch => satisfies(value, asObject(branch), place, judging))
  const conclude = (keyword: string, isValid: Satisfies, message: string) => {
    const at = spotOf(place, judging)
    if (isValid === undefined) judging.undecided(keyword, at)
    if (isValid === false) judging.tell(keyword, at, message)
  }
  if (listOf(anyOf).length > 0) conclude('anyOf', someOf(results(listOf(anyOf))), NO_BRANCH)
  if (listOf(oneOf).length > 0) {
    const satisfied = results(listOf(oneOf))
    conclude(areSeveral(satisfied) ? SEVERAL : 'oneOf', oneIn(satisfied), NOT_ONE)
  }
  if (isJsonObject(not)) conclude('not', negated(satisfies(value, not, place, judging)), EXCLUDED)
}

/** The server reports what a branch reports, and once more the whole. */
function checkAll(
  value: JsonValue,
  branches: readonly JsonValue[],
  place: ValuePlace,
  judging: Judging,
): void {
  const violated: string[] = []
  const tell: TellValue = (keyword, ...error) => {
    violated.push(keyword)
    judging.tell(keyword, ...error)
  }
  for (const branch of branches) checkNode(value, asObject(branch), place, {...judging, tell})
  if (violated.length > 0) judging.tell('allOf', spotOf(place, judging), NOT_ALL)
}

/** The keyword of a value that satisfies several branches of `oneOf`: the server reports no error of a branch beside it. */
export const SEVERAL = 'oneOf several'

const NOT_ALL = 'it does not satisfy all of the conditions'
const NO_BRANCH = 'it satisfies none of the alternatives'
const NOT_ONE = 'it does not satisfy exactly one of the alternatives'
const EXCLUDED = 'it is excluded'

function satisfies(value: JsonValue, branch: Schema, place: ValuePlace, judging: Judging): Satisfies {
  let result: Satisfies = true
  checkNode(value, branch, place, {
    ...judging,
    tell: () => {
      result = false
    },
    undecided: () => {
      if (result === true) result = undefined
    },
  })
  return result
}

function someOf(results: readonly Satisfies[]): Satisfies {
  if (results.includes(true)) return true
  return results.includes(undefined) ? undefined : false
}

function areSeveral(results: readonly Satisfies[]): boolean {
  return results.filter(result => result === true).length > 1
}

function oneIn(results: readonly Satisfies[]): Satisfies {
  if (areSeveral(results)) return false
  return results.includes(undefined) ? undefined : results.includes(true)
}

function negated(result: Satisfies): Satisfies {
  return result === undefined ? undefined : !result
}

function typeName(schema: Schema): string {
  return schema[INT_OR_STRING] === true ? 'integer or string' : asText(schema.type)
}

function ownTypeName(value: JsonValue): string {
  if (value === null) return 'null'
  return isType(value, 'integer') ? 'integer' : isJsonArray(value) ? 'array' : typeof value
}

function hasType(value: JsonValue, schema: Schema, {isDefault}: Judging): boolean {
  const type = asText(schema.type)
  const isEither = schema[INT_OR_STRING] === true
  if (isEither ? isDefault : type === '') return true
  if (value === null) return schema.nullable === true
  if (isEither) return isType(value, 'integer') || typeof value === 'string'
  return isType(value, type) || isAnyByFormat(value, schema)
}

/** A format other than of numbers accepts every string and list here. */
function isAnyByFormat(value: JsonValue, {type, format}: Schema): boolean {
  const isNumeric = type === 'number' || type === 'integer'
  return asText(format) !== '' && !isNumeric && (typeof value === 'string' || isJsonArray(value))
}

/** Reports whether a value other than null has a type; every integer is also a number. */
function isType(value: JsonValue, type: string): boolean {
  if (isJsonArray(value)) return type === 'array'
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value)
  return type === (typeof value === 'bigint' ? 'number' : typeof value)
}
