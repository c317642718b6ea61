import {jsonEqual} from '../../yaml/json-equal.js'
import {asText, asTexts, isJsonArray, type JsonValue} from '../../yaml/json-value.js'
import {
  additionalOf,
  INT_OR_STRING,
  itemsOf,
  JUNCTORS,
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
    ...narrowedPart(additionalOf(before), additionalOf(after), `${path}.*`),
  ]
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
  const keeps = keepsUnknown(after)
  const lost: NarrowedField[] = keepsUnknown(before) && !keeps ? [{path, kind: 'pruned'}] : []
  return [
    ...lost,
    ...propertiesOf(before).flatMap(([name, schema]): readonly NarrowedField[] => {
      const at = path === '' ? name : `${path}.${name}`
      const part = next.get(name)
      if (part === undefined) return keeps ? [] : [{path: at, kind: 'pruned'}]
      return narrowedFields(schema, part, at)
    }),
  ]
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
const SWITCHES = ['exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems']

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
    (before.nullable === true && after.nullable !== true)
  )
}

function isOtherType({type: before, ...old}: Schema, {type: after, ...next}: Schema): boolean {
  const [was, is] = [asText(before), asText(after)]
  const isWider = is === '' || (was === 'integer' && (is === 'number' || next[INT_OR_STRING] === true))
  const isMixed = old[INT_OR_STRING] === true && next[INT_OR_STRING] !== true && is !== ''
  return isMixed || (was !== is && !isWider)
}

function isMissingIn(after: JsonValue | undefined, before: JsonValue | undefined): boolean {
  if (after === undefined || !isJsonArray(after)) return false
  if (before === undefined || !isJsonArray(before)) return true
  return before.some(value => !after.some(other => jsonEqual(value, other)))
}
