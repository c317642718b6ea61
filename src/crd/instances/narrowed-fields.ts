import {jsonEqual} from '../../yaml/json-equal.js'
import {asText, asTexts, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import {
  additionalOf,
  EMBEDDED,
  INT_OR_STRING,
  itemsOf,
  JUNCTORS,
  LIST_MAP_KEYS,
  LIST_TYPE,
  PRESERVE,
  propertiesOf,
  RULES,
  type Schema,
} from '../schema-node.js'

/** A field for which a schema accepts less than another one. */
export interface NarrowedField {
  /** Such as `spec.size`; empty for the whole object. */
  readonly path: string
  /** Whether its values are dropped, or rejected. */
  readonly kind: 'pruned' | 'rejected'
}

/** Returns the fields for which the second schema accepts less than the first, in the order of the first. */
export function narrowedFields(before: Schema, after: Schema, path = ''): readonly NarrowedField[] {
  const own: NarrowedField[] = isNarrowed(before, after) ? [{path, kind: 'rejected'}] : []
  return [
    ...own,
    ...narrowedProperties(before, after, path),
    ...narrowedPart(itemsOf(before), itemsOf(after), `${path}[]`),
    ...narrowedPart(unnamedOf(before), additionalOf(after), `${path}.*`),
  ]
}

/** The schema of properties without a name; undefined if these are dropped. */
function unnamedOf(schema: Schema): Schema | undefined {
  return additionalOf(schema) ?? (keepsUnknown(schema) ? {[PRESERVE]: true} : undefined)
}

function narrowedPart(
  before: Schema | undefined,
  after: Schema | undefined,
  path: string,
): readonly NarrowedField[] {
  return before === undefined || after === undefined ? [] : narrowedFields(before, after, path)
}

/** Properties that a schema does not name are dropped, unless it keeps unknown ones. */
function narrowedProperties(before: Schema, after: Schema, path: string): readonly NarrowedField[] {
  const next = new Map(propertiesOf(after))
  const isDropping = !keepsUnknown(after) && ['', 'object'].includes(asText(after.type))
  const lost: NarrowedField[] = keepsUnknown(before) && isDropping ? [{path, kind: 'pruned'}] : []
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const named = propertiesOf(before)
  return [
    ...lost,
    ...named.flatMap(([name, schema]): readonly NarrowedField[] => {
      const part = next.get(name) ?? unnamedOf(after)
      return part === undefined ? [{path: at(name), kind: 'pruned'}] : narrowedFields(schema, part, at(name))
    }),
    ...newProperties(named, next).flatMap(([name, part]) => narrowedPart(unnamedOf(before), part, at(name))),
  ]
}

function newProperties(
  named: readonly (readonly [string, Schema])[],
  next: ReadonlyMap<string, Schema>,
): readonly (readonly [string, Schema])[] {
  const before = new Set(named.map(([name]) => name))
  return [...next].filter(([name]) => !before.has(name))
}

function keepsUnknown(schema: Schema): boolean {
  return (
    schema[PRESERVE] === true || schema.additionalProperties === true || additionalOf(schema) !== undefined
  )
}

/** Keywords of which another value accepts other values; what they mean is not compared. */
const OTHERWISE = ['format', 'multipleOf', 'not', 'pattern', ...JUNCTORS, RULES]
const LEAST = ['minimum', 'minItems', 'minLength', 'minProperties']
const MOST = ['maximum', 'maxItems', 'maxLength', 'maxProperties']
const SWITCHES = ['exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems', EMBEDDED]

function isNarrowed(before: Schema, after: Schema): boolean {
  const isGiven = (keyword: string) => after[keyword] !== undefined && after[keyword] !== null
  const beyond = (isLess: (value: number, limit: number) => boolean) => (keyword: string) => {
    const [old, limit] = [before[keyword], after[keyword]]
    return typeof limit === 'number' && (typeof old !== 'number' || isLess(old, limit))
  }
  return (
    isOtherType(before, after) ||
    isMissingIn(after.enum, before.enum) ||
    asTexts(after.required).some(name => !asTexts(before.required).includes(name)) ||
    OTHERWISE.some(
      keyword => isGiven(keyword) && !jsonEqual(before[keyword] ?? null, after[keyword] ?? null),
    ) ||
    LEAST.some(beyond((value, limit) => value < limit)) ||
    MOST.some(beyond((value, limit) => value > limit)) ||
    SWITCHES.some(keyword => after[keyword] === true && before[keyword] !== true) ||
    isNullLost(before, after) ||
    isOtherList(before, after)
  )
}

/** Sets and maps reject two items with the same value or keys. */
function isOtherList(before: Schema, after: Schema): boolean {
  const isUnique = ['set', 'map'].includes(asText(after[LIST_TYPE]))
  return (
    isUnique && [LIST_TYPE, LIST_MAP_KEYS].some(key => !jsonEqual(before[key] ?? null, after[key] ?? null))
  )
}

function isOtherType({type: before, ...old}: Schema, {type: after, ...next}: Schema): boolean {
  const [was, is] = [asText(before), asText(after)]
  const isWider = is === '' || (was === 'integer' && (is === 'number' || next[INT_OR_STRING] === true))
  const isMixed = old[INT_OR_STRING] === true && next[INT_OR_STRING] !== true && is !== ''
  return isMixed || (was !== is && !isWider)
}

/** Without a type, null is a value like any other. */
function isNullLost(before: Schema, {type, nullable, [INT_OR_STRING]: isEither}: Schema): boolean {
  return before.nullable === true && nullable !== true && (asText(type) !== '' || isEither === true)
}

function isMissingIn(after: JsonValue | undefined, before: JsonValue | undefined): boolean {
  if (after === undefined || !isJsonArray(after)) return false
  if (before === undefined || !isJsonArray(before)) return true
  return before.some(value => !after.some(other => jsonEqual(value, other)))
}
