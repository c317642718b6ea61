import {asObject, asTexts, type FieldPath, isJsonObject} from '../../yaml/json-value.js'
import {
  branchesOf,
  isGiven,
  listOf,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  type Schema,
} from '../schema-node.js'
import {type Conversion, note} from './conversion-note.js'
import {withKeys} from './convert-junctors.js'
import {ANYTHING, isResource, type Level} from './level.js'

/** Keeps unknown fields if the schema requires them, or the CRD preserves them. */
export function withPayload(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
  if (schema.type !== 'object' || level === 'metadata' || schema[PRESERVE] === true) return schema
  if (to.preserve === false) return isResource(schema, level) ? withoutOpenMap(schema) : schema
  if (to.preserve === undefined) {
    const reason = keepReason(schema)
    if (reason === undefined) return schema
    note(to, reason, path, KEEP_REASONS[reason])
  }
  return {...withoutOpenMap(schema), [PRESERVE]: true}
}

const KEEP_REASONS = {
  'payload-kept': 'it names no fields, so all are kept',
  'unknown-kept': 'whether it is valid depends on fields that it does not name',
}

function keepReason(schema: Schema): keyof typeof KEEP_REASONS | undefined {
  const {additionalProperties = true} = schema
  if (schema.additionalProperties === true) return 'payload-kept'
  if (!isGiven(schema.properties) && additionalProperties === true) return 'payload-kept'
  return countsFields(schema) ? 'unknown-kept' : undefined
}

/** v1 would keep the fields of a map of anything, and drop all below them. */
function withoutOpenMap(schema: Schema): Schema {
  return schema.additionalProperties === true ? withKeys(schema, {additionalProperties: undefined}) : schema
}

function countsFields(schema: Schema): boolean {
  const counts = ['minProperties', 'maxProperties'].some(key => schema[key] !== undefined)
  const compares = listOf(schema.enum).some(value => isJsonObject(value))
  const branches = branchesOf(schema, {path: '', place: []}).map(([branch]) => branch)
  return (
    counts ||
    compares ||
    branches.some(branch => countsFields(branch) || branch.additionalProperties === false)
  )
}

/** Adds the fields that are required or that junctors name; otherwise v1 prunes them before it validates. */
export function withNamedFields(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
  if (level === 'metadata' || !hasFields(schema)) return schema
  const own = asObject(schema.properties)
  const required = schema[PRESERVE] === true ? [] : requiredBy(schema)
  const missing = new Set([...required, ...namedBy(schema)].filter(name => !Object.hasOwn(own, name)))
  if (isResource(schema, level)) for (const name of META_FIELDS) missing.delete(name)
  if (missing.size === 0) return schema
  for (const name of missing) note(to, 'field-added', [...path, 'properties', name], 'it may be anything')
  const added = Object.fromEntries([...missing].map(name => [name, ANYTHING]))
  return {...schema, properties: {...own, ...added}}
}

function hasFields(schema: Schema): boolean {
  return schema.additionalProperties === undefined && (schema.type === 'object' || schema[PRESERVE] === true)
}

function requiredBy(schema: Schema): string[] {
  const branches = branchesOf(schema, {path: '', place: []}).map(([branch]) => branch)
  return [...asTexts(schema.required), ...branches.flatMap(requiredBy)]
}

function namedBy(schema: Schema): string[] {
  return branchesOf(schema, {path: '', place: []}).flatMap(([branch]) => [
    ...propertiesOf(branch).map(([name]) => name),
    ...namedBy(branch),
  ])
}
