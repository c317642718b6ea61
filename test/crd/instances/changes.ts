import {grouped} from '../../../src/grouped.js'
import {
  asObject,
  asTexts,
  type FieldPath,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {at, fullBody, INT_OR_STRING, isText, type Place, placesIn, typeOf} from './values.js'

/** Rules that a schema can have for a value. */
type RuleKind = 'bounds' | 'enum' | 'pattern' | 'required' | 'type'

/** One place of an instance with another value, which keeps one rule or breaks it. */
export interface Change {
  readonly rule: RuleKind
  readonly path: FieldPath
  readonly value: JsonValue
  readonly isValid: boolean
}

const OF_OTHER_TYPE: Readonly<Record<string, readonly JsonValue[]>> = {
  object: ['text', []],
  array: [{}],
  string: [5],
  integer: ['1', 1.5],
  number: ['1'],
  boolean: ['true'],
}

/** How many changes are spread over depths before fewer are drawn of them. */
const SPREAD = 40

/**
 * Changes of an instance that has every field: for each kind of rule and each depth in turn the next one, and of these for each kind
 * of rule in turn the next one, until there are so many. The same CRD gives the same changes.
 */
export function someChanges(schema: JsonObject, count: number): Change[] {
  const whole = fullBody(schema)
  const all = placesIn(schema).flatMap(place => changesAt(place, at(whole, place.path)))
  const spread = inTurn(all, ({rule, path}) => `${rule} ${path.length}`).slice(0, Math.max(count, SPREAD))
  return inTurn(spread, ({rule, isValid}) => `${rule} ${isValid}`).slice(0, count)
}

/** The first one of each sort, then the second ones, and so on. */
function inTurn(changes: readonly Change[], sortOf: (change: Change) => string): Change[] {
  const sorts = [...grouped(changes, sortOf).values()]
  const rounds = Math.max(0, ...sorts.map(sort => sort.length))
  return Array.from({length: rounds}, (_, round) => round).flatMap(round =>
    sorts.flatMap(sort => sort[round] ?? []),
  )
}

/** The root is always an object that Kubernetes has looked at. */
function changesAt({path, schema}: Place, value: JsonValue): Change[] {
  const change = (rule: RuleKind, isValid: boolean) => (each: JsonValue) => ({
    rule,
    path,
    value: each,
    isValid,
  })
  const missing = asTexts(schema.required).map(name => without(asObject(value), name))
  const enumerated = isJsonArray(schema.enum) ? schema.enum : []
  return [
    ...(path.length === 0 ? [] : otherTypes(schema).map(change('type', false))),
    ...missing.map(change('required', false)),
    ...enumerated.map(each => change('enum', isText(each))(each)),
    ...enumerated.slice(0, 1).map(() => change('enum', false)('none-of-these')),
    ...outOfBounds(schema).map(change('bounds', false)),
    ...atBounds(schema).map(change('bounds', true)),
    ...(schema.pattern === undefined ? [] : [change('pattern', false)('A B')]),
  ]
}

function otherTypes(schema: JsonObject): readonly JsonValue[] {
  return schema[INT_OR_STRING] === true ? [true] : (OF_OTHER_TYPE[typeOf(schema)] ?? [])
}

function outOfBounds({minimum, maximum, maxLength}: JsonObject): JsonValue[] {
  return [
    ...(minimum === undefined ? [] : [Number(minimum) - 1]),
    ...(maximum === undefined ? [] : [Number(maximum) + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(Number(maxLength) + 1)]),
  ]
}

function atBounds({minimum, maximum, maxLength}: JsonObject): JsonValue[] {
  const bounds = [minimum, maximum].flatMap(bound => (bound === undefined ? [] : [Number(bound)]))
  return [...bounds, ...(maxLength === undefined ? [] : ['x'.repeat(Number(maxLength))])]
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
}
