import {asText, asTexts, type JsonValue} from '../../yaml/json-value.js'
import {
  additionalOf,
  EMBEDDED,
  itemsOf,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  type Schema,
} from '../schema-node.js'
import {keywordChanges} from './keyword-changes.js'
import type {SchemaChange} from './schema-change.js'

/** The deepest schema of a package that can be read has fewer levels. */
const MAX_LEVELS = 100

/**
 * Returns how a schema of a version differs from its former content, in the order of the former; texts that only document it
 * are not compared. A part that is gone, or has another type, is one change.
 */
export function schemaChanges(before: Schema, after: Schema): readonly SchemaChange[] {
  const changes: SchemaChange[] = []
  compare({path: '', levels: 0, before, after}, changes)
  return changes
}

interface Pair {
  readonly path: string
  readonly levels: number
  readonly before: Schema
  readonly after: Schema
}

function compare(pair: Pair, changes: SchemaChange[]): void {
  const {path, levels, before, after} = pair
  if (before === after) return
  // Nothing is rejected or dropped without a schema.
  if (after === KEPT) {
    changes.push({path, rule: 'type-widened', effect: 'none', before: typeOf(before), after: ''})
    return
  }
  if (levels > MAX_LEVELS) {
    changes.push({path, rule: 'unread', effect: 'rejected'})
    return
  }
  const own = keywordChanges(before, after)
  for (const change of own) changes.push({path, ...change})
  if (own.some(({rule}) => rule === 'type-changed')) return
  compareUnnamed(pair, changes)
  compareProperties(pair, changes)
  comparePart(pair, [itemsOf(before), itemsOf(after)], '[]', changes)
  const unnamed = unnamedOf(after)
  comparePart(pair, [unnamedOf(before), unnamed === KEPT ? undefined : unnamed], '.*', changes)
}

/** The schema of properties without a name; undefined if these are dropped. */
function unnamedOf(schema: Schema): Schema | undefined {
  const additional = additionalOf(schema)
  if (additional !== undefined) return additional
  if (schema[PRESERVE] === true) return KEPT
  return schema.additionalProperties === true ? WITHOUT_PARTS : undefined
}

const KEPT: Schema = {[PRESERVE]: true}
/** What the API server makes of `additionalProperties: true`: any value, but of an object nothing is kept. */
const WITHOUT_PARTS: Schema = {}

function keepsUnknown(schema: Schema): boolean {
  return (
    schema[PRESERVE] === true || schema.additionalProperties === true || additionalOf(schema) !== undefined
  )
}

function comparePart(
  {path, levels}: Pair,
  [before, after]: readonly [Schema | undefined, Schema | undefined],
  step: string,
  changes: SchemaChange[],
): void {
  if (before === undefined || after === undefined) return
  compare({path: `${path}${step}`, levels: levels + 1, before, after}, changes)
}

/** Properties that a schema does not name are dropped, unless it keeps unknown ones. */
function compareUnnamed({path, before, after}: Pair, changes: SchemaChange[]): void {
  const [had, has] = [keepsUnknown(before), keepsUnknown(after)]
  if (had === has || (had && !['', 'object'].includes(asText(after.type)))) return
  changes.push(
    had
      ? {path, rule: 'unknown-fields-dropped', effect: 'dropped'}
      : {path, rule: 'unknown-fields-kept', effect: 'none'},
  )
}

function compareProperties(pair: Pair, changes: SchemaChange[]): void {
  const {path, levels, before, after} = pair
  const [old, next] = [propertiesOf(before), new Map(propertiesOf(after))]
  const [oldUnnamed, unnamed] = [unnamedOf(before), unnamedOf(after)]
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const isImplicit = (name: string) => isResource(pair) && META_FIELDS.includes(name)
  for (const [name, schema] of old) {
    const part = next.get(name) ?? unnamed
    if (part === undefined && isImplicit(name)) continue
    if (part === undefined)
      changes.push({path: at(name), rule: 'field-removed', effect: 'dropped', before: typeOf(schema)})
    else compare({path: at(name), levels: levels + 1, before: schema, after: part}, changes)
  }
  const named = new Set(old.map(([name]) => name))
  for (const [name, schema] of next) {
    if (named.has(name) || isImplicit(name)) continue
    if (oldUnnamed === undefined)
      changes.push({path: at(name), rule: 'field-added', effect: 'none', after: typeOf(schema)})
    else compare({path: at(name), levels: levels + 1, before: oldUnnamed, after: schema}, changes)
  }
  compareRequired(pair, [new Map(old), next], changes)
}

/** Every object has these fields, whether or not its schema names or requires them. */
function isResource({path, after}: Pair): boolean {
  return path === '' || after[EMBEDDED] === true
}

/** A required field with a default is never missing: the API server adds it. */
function compareRequired(
  pair: Pair,
  [former, next]: readonly ReadonlyMap<string, Schema>[],
  changes: SchemaChange[],
): void {
  const {path, before, after} = pair
  const isOwn = (name: string) => !isResource(pair) || !META_FIELDS.includes(name)
  const names = ({required}: Schema) => new Set(asTexts(required).filter(isOwn))
  const [old, required] = [names(before), names(after)]
  const hasDefault = (name: string, properties?: ReadonlyMap<string, Schema>) =>
    (properties?.get(name)?.default ?? null) !== null
  for (const name of required) {
    const isMissed = !hasDefault(name, next)
    if (old.has(name) && !(isMissed && hasDefault(name, former))) continue
    changes.push({path, rule: 'required-added', effect: isMissed ? 'rejected' : 'none', after: name})
  }
  for (const name of old)
    if (!required.has(name)) changes.push({path, rule: 'required-removed', effect: 'none', before: name})
}

function typeOf({type}: Schema): JsonValue {
  return type ?? null
}
