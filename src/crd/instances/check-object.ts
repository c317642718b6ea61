import {isDns1035Label} from '../../reference/kubernetes-names.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import {writeJson} from '../../yaml/write-yaml.js'
import {checkValue, SEVERAL, type TellValue, type ValueJudge} from '../checks/check-values.js'
import {child, entry, item, type Spot} from '../schema-diagnostic.js'
import {
  additionalOf,
  EMBEDDED,
  itemsOf,
  LIST_MAP_KEYS,
  LIST_TYPE,
  partsOf,
  propertyOf,
  RULES,
  type Schema,
} from '../schema-node.js'
import type {SchemaRules} from '../schema-rules.js'
import {prunedFields} from './pruned-fields.js'
import {withDefaults} from './with-defaults.js'

/** A field of a new object that the API server rejects. */
export interface ObjectError {
  readonly place: FieldPath
  readonly message: string
}

/** A field that violates a keyword of its schema. */
export interface ValueError extends ObjectError {
  /** Such as `type` or `required`; `UNKNOWN_FIELD` for a field that the schema does not have. */
  readonly keyword: string
}

/** The keyword of fields that a schema does not have. */
export const UNKNOWN_FIELD = 'unknown'

/** How objects are judged. */
export interface ObjectJudge extends ValueJudge {
  /** Without them, rules in CEL are undecided. */
  readonly rules?: SchemaRules
}

/**
 * Reports why an API server rejects a new object by a structural schema if it also rejects unknown fields, as for
 * `kubectl apply`: the unknown fields, and all that `checkObject` reports of the object without them.
 */
export function checkStrictly(
  object: JsonObject,
  schema: Schema,
  judge: ObjectJudge = {},
): readonly ValueError[] {
  return strictErrors(object, {schema, hasStatus: false}, judge)
}

/** How a version of a CRD accepts an object. */
interface AcceptingVersion {
  readonly schema: Schema
  readonly hasStatus: boolean
}

/** A server drops a status that is a subresource before it validates: errors in it keep it from no rule. */
function strictErrors(
  object: JsonObject,
  {schema, hasStatus}: AcceptingVersion,
  judge: ObjectJudge,
): readonly ValueError[] {
  const unknown = prunedFields(object, schema).map(place => ({
    ...{place, keyword: UNKNOWN_FIELD, message: 'the field does not exist'},
  }))
  const whole = withDefaults(withoutFields(object, unknown), schema)
  return [...unknown, ...checkWhole(hasStatus ? withoutStatus(whole) : whole, schema, judge)]
}

function withoutStatus(object: JsonObject): JsonObject {
  if (!Object.hasOwn(object, 'status')) return object
  const {status: _dropped, ...own} = object
  return own
}

/** What is wrong with an object that a user writes, and the keywords of which it is not known. */
export interface WrittenErrors {
  readonly errors: readonly ValueError[]
  readonly undecided: readonly Pick<ValueError, 'keyword' | 'place'>[]
}

/**
 * Checks an object strictly, as a version of a CRD accepts it. Where the status is a subresource, the server drops it after it has
 * looked for unknown fields.
 */
export function checkWritten(
  object: JsonObject,
  version: AcceptingVersion,
  judge: ObjectJudge,
): WrittenErrors {
  const undecided: Pick<ValueError, 'keyword' | 'place'>[] = []
  const errors = strictErrors(object, version, {
    ...judge,
    undecided: (keyword, {place}) => undecided.push({keyword, place}),
  })
  return {errors, undecided}
}

/** Returns a value without some of its fields. */
function withoutFields<Value extends JsonValue>(value: Value, unknown: readonly ObjectError[]): Value {
  if (unknown.length === 0) return value
  return without(value, new Set(unknown.map(({place}) => JSON.stringify(place))), []) as Value
}

function without(value: JsonValue, dropped: ReadonlySet<string>, path: FieldPath): JsonValue {
  if (isJsonArray(value)) return value.map((part, index) => without(part, dropped, [...path, index]))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]): [string, JsonValue][] => {
      const below = [...path, name]
      return dropped.has(JSON.stringify(below)) ? [] : [[name, without(part, dropped, below)]]
    }),
  )
}

/**
 * Reports why an API server rejects a new object by a structural schema, in the server's order: values, embedded
 * resources and items that occur twice first, and rules in CEL only if no error blocks them.
 */
export function checkObject(
  object: JsonObject,
  schema: Schema,
  judge: ObjectJudge = {},
): readonly ValueError[] {
  return checkWhole(withDefaults(object, schema), schema, judge)
}

/** Checks an object that has its defaults. */
function checkWhole(whole: JsonObject, schema: Schema, judge: ObjectJudge): readonly ValueError[] {
  const errors: ValueError[] = []
  const tell: TellValue = (keyword, {place}, message) => errors.push({keyword, place, message})
  checkValue(whole, schema, ROOT, tell, judge)
  const ruled: (() => void)[] = []
  visitValues(whole, schema, ROOT, (value, node, spot) => {
    if (isJsonObject(value) && node[EMBEDDED] === true) checkResource(value, spot, tell)
    if (isJsonArray(value)) checkItems(value, node, spot, tell)
    if (node[RULES] !== undefined)
      ruled.push(() => {
        checkRules(value, node, spot, judge, tell)
      })
  })
  if (!errors.some(blocksRules)) for (const check of ruled) check()
  return errors
}

/** The keywords of errors beside which a server evaluates rules in CEL, as far as they are reported on their own. */
const BESIDE_RULES: ReadonlySet<string> = new Set([
  ...['pattern', 'format', 'minimum', 'maximum', 'multipleOf', 'minLength', 'minItems', 'minProperties'],
  ...['allOf', 'not', SEVERAL, LIST_TYPE, RULES, UNKNOWN_FIELD],
])

/** Reports whether a server evaluates no rules of an object with this error, such as a value of another type. */
export function blocksRules({keyword}: Pick<ValueError, 'keyword'>): boolean {
  return !BESIDE_RULES.has(keyword)
}

/** The place of a whole object. */
export const ROOT: Spot = {path: '', place: []}

/** Sees a value with its schema. */
type Visit = (value: JsonValue, schema: Schema, spot: Spot) => void

/** Visits each value that has a schema. */
export function visitValues(value: JsonValue, schema: Schema, spot: Spot, act: Visit): void {
  act(value, schema, spot)
  const items = itemsOf(schema)
  if (isJsonArray(value) && items !== undefined)
    value.forEach((part, index) => {
      visitValues(part, items, item(spot, index), act)
    })
  if (!isJsonObject(value)) return
  const additional = additionalOf(schema)
  for (const [name, part] of Object.entries(value)) {
    const field = propertyOf(schema, name)
    if (field !== undefined) visitValues(part, field, child(spot, name), act)
    else if (additional !== undefined) visitValues(part, additional, entry(spot, name), act)
  }
}

function checkResource(resource: JsonObject, spot: Spot, tell: TellValue): void {
  for (const name of ['apiVersion', 'kind']) {
    if (asText(resource[name]) === '')
      tell(EMBEDDED, child(spot, name), 'a resource has an apiVersion and a kind')
  }
  const kind = asText(resource.kind)
  if (kind !== '' && !isDns1035Label(kind.toLowerCase()))
    tell(EMBEDDED, child(spot, 'kind'), 'it is not a kind')
  if (asText(resource.apiVersion).split('/').length > 2)
    tell(EMBEDDED, child(spot, 'apiVersion'), 'it has more than one /')
}

function checkItems(list: readonly JsonValue[], schema: Schema, spot: Spot, tell: TellValue): void {
  const listType = asText(schema[LIST_TYPE])
  if (listType !== 'map' && listType !== 'set') return
  const keys = asTexts(schema[LIST_MAP_KEYS])
  const named = listType === 'set' ? 'value' : keys.join(' and ')
  const seen = new Set<string>()
  list.forEach((value, index) => {
    const key = writeJson(listType === 'set' ? value : keys.map(name => ownField(asObject(value), name)))
    if (seen.has(key)) tell(LIST_TYPE, item(spot, index), `an earlier item has the same ${named}`)
    seen.add(key)
  })
}

/** A key can have the name of a method of all objects. */
function ownField(object: JsonObject, name: string): JsonValue {
  return Object.hasOwn(object, name) ? (object[name] ?? null) : null
}

/** Rules for changed values do not apply to new ones, except with `optionalOldSelf`. */
function checkRules(value: JsonValue, schema: Schema, spot: Spot, judge: ObjectJudge, tell: TellValue): void {
  for (const {rule, message, optionalOldSelf} of asObjects(schema[RULES])) {
    const text = asText(rule)
    if (/\boldSelf\b/.test(text) && optionalOldSelf !== true) continue
    const result = seesOtherTypes(text, schema) ? undefined : judge.rules?.resultOf(text, value)
    if (result === undefined) judge.undecided?.(RULES, spot)
    if (result !== false) continue
    const cause = asText(message).replace(/^[A-Z](?=[a-z])/, letter => letter.toLowerCase())
    tell(RULES, spot, cause || `it must satisfy ${text}`)
  }
}

/** Texts that are times, durations or bytes in rules. */
const TYPED_FORMATS = ['date', 'date-time', 'duration', 'byte']

/** Reports whether a rule can see values with other types: it sees what it names, and all below; whether a field exists has no type. */
function seesOtherTypes(rule: string, schema: Schema): boolean {
  if (!hasOtherTypes(schema)) return false
  return [...rule.matchAll(SELF)].some(
    ([, has, names = '', end]) =>
      (has === undefined || end === undefined) && hasOtherTypes(seenSchema(schema, names)),
  )
}

/** A value with the fields that it is read by, within `has` or not. */
const SELF = /(\bhas\s*\(\s*)?\bself\b((?:\s*\.\s*\w+)*)(\s*\))?/g

/** Returns the schema of the deepest part that is named; after it there are items, keys or calls. */
function seenSchema(schema: Schema, names: string): Schema {
  let seen = schema
  for (const name of names.split('.').slice(1)) {
    const part = propertyOf(seen, name.trim())
    if (part === undefined) return seen
    seen = part
  }
  return seen
}

/** Reports whether rules see values of a schema with other types, or lists whose order does not count. */
function hasOtherTypes(schema: Schema): boolean {
  const cached = otherTypes.get(schema)
  if (cached !== undefined) return cached
  const isOther =
    TYPED_FORMATS.includes(asText(schema.format)) ||
    ['map', 'set'].includes(asText(schema[LIST_TYPE])) ||
    partsOf(schema, ROOT).some(([part]) => hasOtherTypes(part))
  otherTypes.set(schema, isOther)
  return isOther
}

const otherTypes = new WeakMap<Schema, boolean>()
