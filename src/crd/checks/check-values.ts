import {listAll, listSome} from '../../text.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asText, asTexts, isJsonArray, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
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
  checkNode(value, schema, {name: '', steps: []}, {around: spot, tell, match, undecided, isDefault})
}

/** A value within the checked one: the name of its place in the server's messages, and the path to it. */
interface ValuePlace {
  readonly name: string
  readonly steps: readonly (string | number)[]
}

interface Judging extends Required<ValueJudge> {
  readonly around: Spot
  readonly tell: TellValue
}

/** A few of the values that an enum allows, for messages. */
const MAX_LISTED = 10

function checkNode(value: JsonValue, schema: Schema, place: ValuePlace, judging: Judging): void {
  const at = spotOf(place, judging)
  const {tell} = judging
  if (!hasType(value, schema, judging))
    tell('type', at, `it must be of type ${typeName(schema)}, not ${ownTypeName(value)}`)
  const allowed = listOf(schema.enum)
  if (allowed.length > 0 && !allowed.some(option => jsonEqual(option, value)))
    tell('enum', at, `it must be ${allowedText(allowed)}`)
  // Of null, the server checks nothing else.
  if (value === null) return
  for (const {keyword, message} of limitErrors(value, schema, judging.match)) {
    if (message === undefined) judging.undecided(keyword, at)
    else tell(keyword, at, message)
  }
  checkBranches(value, schema, place, judging)
  checkParts(value, schema, place, judging)
}

function spotOf({name, steps}: ValuePlace, {around}: Judging): Spot {
  return {path: name === '' ? around.path : `${around.path}.${name}`, place: [...around.place, ...steps]}
}

function allowedText(allowed: readonly JsonValue[]): string {
  const texts = allowed.map(option => writeJson(option).trim())
  return texts.length > MAX_LISTED ? `one of ${listSome(texts, MAX_LISTED)}` : listAll(texts, 'or')
}

function checkParts(value: JsonValue, schema: Schema, place: ValuePlace, judging: Judging): void {
  if (isJsonArray(value)) {
    const items = itemsOf(schema) ?? {}
    value.forEach((item, index) => {
      checkNode(item, items, {name: `${place.name}[${index}]`, steps: [...place.steps, index]}, judging)
    })
  } else if (isJsonObject(value)) checkFields(value, schema, place, judging)
}

function checkFields(
  value: Readonly<Record<string, JsonValue>>,
  schema: Schema,
  place: ValuePlace,
  judging: Judging,
): void {
  const below = (name: string): ValuePlace => ({
    name: place.name === '' ? name : `${place.name}.${name}`,
    steps: [...place.steps, name],
  })
  for (const name of asTexts(schema.required)) {
    if (!Object.hasOwn(value, name)) judging.tell('required', spotOf(below(name), judging), 'it is required')
  }
  const additional = additionalOf(schema)
  for (const [name, part] of Object.entries(value)) {
    const fieldSchema = propertyOf(schema, name) ?? additional
    if (fieldSchema !== undefined) checkNode(part, fieldSchema, below(name), judging)
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
  if (listOf(oneOf).length > 0) conclude('oneOf', oneIn(results(listOf(oneOf))), NOT_ONE)
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

function oneIn(results: readonly Satisfies[]): Satisfies {
  const satisfied = results.filter(result => result === true).length
  if (satisfied > 1) return false
  return results.includes(undefined) ? undefined : satisfied === 1
}

function negated(result: Satisfies): Satisfies {
  return result === undefined ? undefined : !result
}

function typeName(schema: Schema): string {
  return schema[INT_OR_STRING] === true ? 'integer or string' : asText(schema.type)
}

function ownTypeName(value: JsonValue): string {
  return value === null ? 'null' : (typesOf(value)[0] ?? '')
}

function hasType(value: JsonValue, schema: Schema, {isDefault}: Judging): boolean {
  const type = asText(schema.type)
  const isEither = schema[INT_OR_STRING] === true
  if (isEither ? isDefault : type === '') return true
  if (value === null) return schema.nullable === true
  const types = typesOf(value)
  if (isEither) return types.includes('integer') || types.includes('string')
  return types.includes(type) || isAnyByFormat(value, schema)
}

/** A format other than of numbers accepts every string and list here. */
function isAnyByFormat(value: JsonValue, {type, format}: Schema): boolean {
  const isNumeric = type === 'number' || type === 'integer'
  return asText(format) !== '' && !isNumeric && (typeof value === 'string' || isJsonArray(value))
}

function typesOf(value: JsonValue): readonly string[] {
  if (isJsonArray(value)) return ['array']
  if (typeof value === 'bigint') return ['integer', 'number']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value]
}
