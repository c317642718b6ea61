import {
  asObject,
  asText,
  asTexts,
  type FieldPath,
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from '../yaml/json-value.js'
import {type Conversion, fault, note} from './conversion-note.js'
import {convertBounds, convertFormat} from './convert-values.js'
import {convertJunctors, type Inexpressible, withKeys} from './convert-junctors.js'
import {goPatternFault} from './go-pattern.js'
import {asIntOrString, inferredType} from './infer-type.js'
import {jsonEqual} from './json-equal.js'
import {listProblems} from './list-problems.js'
import {
  branchesOf,
  EMBEDDED,
  INT_OR_STRING,
  isGiven,
  listOf,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  RULES,
  type Schema,
  TYPES,
} from './schema-node.js'

/** Where a node stands. `metadata` is that of the resource itself, of which a schema may hardly speak. */
export type Level = 'root' | 'metadata' | 'below'

/** Deeper schemas are not read; none that a person wrote comes near. */
const MAX_DEPTH = 100
/** A value of which nothing is known: null was valid too, and v1 drops null where it is not nullable. */
const ANYTHING: Schema = {nullable: true, [PRESERVE]: true}

/**
 * A node of a v1beta1 schema and all below it as structural schema, with the same values valid. What has no structural
 * form becomes a fault, and a node that accepts all the old one did.
 */
export function convertNode(
  schema: Schema,
  level: Level,
  path: FieldPath,
  to: Conversion,
  depth = 0,
): Schema {
  const reason = inexpressible(schema, level, depth)
  if (reason !== undefined) {
    fault(to, path, reason)
    return acceptAll(schema, level)
  }
  const typed = withType(withoutNoise(schema, level, path, to), level, path, to)
  const found: Inexpressible[] = []
  const whole = withParts(typed, level, path, to, depth)
  const named = withNamedFields(withPayload(whole, level, path, to), level, path, to)
  const converted = convertJunctors(named, path, found)
  if (found.length === 0 && converted !== named && junctorsDiffer(converted, named)) {
    note(to, 'junctor-rewritten', path, 'its junctors were rewritten, with the same values valid')
  }
  const out = convertBounds(converted, path, to)
  listProblems(out, {path: '', place: path}, (_, spot, message) =>
    found.push({path: spot.place, reason: message}),
  )
  for (const {path: at, reason: why} of found) fault(to, at, why)
  return found.length === 0 ? out : acceptAll(schema, level)
}

function junctorsDiffer(a: Schema, b: Schema): boolean {
  const keys = ['allOf', 'anyOf', 'oneOf', 'not']
  return keys.some(key => !jsonEqual(a[key], b[key]))
}

/** Why a node has no structural form, whatever is below it. */
function inexpressible(schema: Schema, level: Level, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `it lies more than ${MAX_DEPTH} levels deep`
  const type = asText(schema.type)
  if (type !== '' && !TYPES.includes(type)) return `${type} is no type`
  if (level !== 'below' && type !== '' && type !== 'object') return 'it must be an object'
  if (isJsonArray(schema.items)) return 'all items have one schema'
  return keywordReason(schema) ?? mapReason(schema, level) ?? patternReason(schema)
}

function keywordReason(schema: Schema): string | undefined {
  const keys = ['$ref', 'patternProperties', 'dependencies', 'uniqueItems', 'additionalItems']
  const key = keys.find(each => isGiven(schema[each]) || (each === 'additionalItems' && each in schema))
  return key === undefined ? undefined : `${key} is not supported`
}

function mapReason(schema: Schema, level: Level): string | undefined {
  const {additionalProperties} = schema
  if (additionalProperties === undefined || additionalProperties === true) return undefined
  if (isGiven(schema.properties)) return 'properties and additionalProperties exclude each other'
  return level === 'root' || schema[EMBEDDED] === true ? 'a resource is no map' : undefined
}

function patternReason(schema: Schema): string | undefined {
  const pattern = asText(schema.pattern)
  const reason = pattern === '' ? undefined : goPatternFault(pattern)
  return reason === undefined ? undefined : `the pattern ${pattern} is none of Go's: ${reason}`
}

/** What a node accepts at most, judging by its type alone. */
function acceptAll(schema: Schema, level: Level): Schema {
  const {description, title, type} = schema
  const kept = withKeys({}, {description, title, nullable: schema.nullable})
  if (level === 'root') return withKeys(kept, {nullable: undefined, type: 'object', [PRESERVE]: true})
  if (level === 'metadata') return {type: 'object'}
  if (type === 'object') {
    return withKeys(kept, {type, [PRESERVE]: true, [EMBEDDED]: schema[EMBEDDED]})
  }
  if (type === 'array') return {...kept, type, items: ANYTHING}
  return typeof type === 'string' && TYPES.includes(type) ? {...kept, type} : {...kept, ...ANYTHING}
}

/** Without what had no effect, or none on the old server. */
function withoutNoise(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
  const dropped = ['id', '$schema', '$ref', 'definitions', RULES, ...(level === 'root' ? ['nullable'] : [])]
  const given = dropped.filter(key => schema[key] !== undefined)
  if (given.length > 0) note(to, 'keyword-dropped', path, `${given.join(', ')} had no effect`)
  if (schema.default !== undefined) note(to, 'default-dropped', path, 'v1beta1 applied no defaults')
  const gone = Object.fromEntries([...given, 'default'].map(key => [key, undefined]))
  const rest = withKeys(schema, {...gone, [PRESERVE]: schema[PRESERVE] === true ? true : undefined})
  return level === 'metadata' ? onlyNames(rest, path, to) : rest
}

/** Of the metadata of a resource, v1 lets a schema describe the name and nothing else. */
function onlyNames(schema: Schema, path: FieldPath, to: Conversion): Schema {
  const names = propertiesOf(schema).filter(([name]) => name === 'name' || name === 'generateName')
  const kept = {type: 'object', ...(names.length === 0 ? {} : {properties: Object.fromEntries(names)})}
  if (Object.keys(schema).some(key => !(key in kept)) || names.length < propertiesOf(schema).length) {
    note(to, 'metadata-dropped', path, 'v1 lets a schema say nothing of metadata but its names')
  }
  return kept
}

function withType(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
  if (level !== 'below') {
    if (schema.type !== 'object') note(to, 'type-inferred', path, 'it can only be an object')
    return convertFormat({...schema, type: 'object'}, path, to)
  }
  const either = asIntOrString(schema)
  if (either !== undefined) {
    if (schema[INT_OR_STRING] !== true) note(to, 'int-or-string', path, 'an integer or a string')
    return withKeys(convertFormat(either, path, to), {[PRESERVE]: undefined})
  }
  if (asText(schema.type) !== '') return convertFormat(schema, path, to)
  const type = inferredType(schema)
  if (type === undefined || !TYPES.includes(type)) return untyped(schema, path, to)
  note(to, 'type-inferred', path, `it can only be of type ${type}`)
  const nullable = isGiven(schema.enum) ? schema.nullable : true
  return convertFormat(withKeys(schema, {type, nullable}), path, to)
}

function untyped(schema: Schema, path: FieldPath, to: Conversion): Schema {
  note(to, 'untyped-kept', path, 'it has no type, so any value stays allowed, and nothing in it is dropped')
  return {...convertFormat(schema, path, to), ...ANYTHING}
}

function withParts(schema: Schema, level: Level, path: FieldPath, to: Conversion, depth: number): Schema {
  const {items, additionalProperties} = schema
  const below = (part: JsonValue, ...steps: FieldPath) =>
    convertNode(asObject(part), 'below', [...path, ...steps], to, depth + 1)
  const properties = propertiesOf(schema).map(([name, part]): [string, Schema] => {
    const at = [...path, 'properties', name]
    const partLevel = level === 'root' && name === 'metadata' ? 'metadata' : 'below'
    return [name, convertNode(metaField(schema, level, name, part), partLevel, at, to, depth + 1)]
  })
  if (schema.type === 'array' && !isJsonObject(items))
    note(to, 'items-added', path, 'its items may be anything')
  return withKeys(schema, {
    properties: properties.length === 0 ? undefined : Object.fromEntries(properties),
    items: isJsonObject(items) ? below(items, 'items') : schema.type === 'array' ? ANYTHING : undefined,
    additionalProperties: isJsonObject(additionalProperties)
      ? below(additionalProperties, 'additionalProperties')
      : additionalProperties,
  })
}

/** apiVersion and kind of a resource are texts, whatever its schema leaves out. */
function metaField(schema: Schema, level: Level, name: string, part: Schema): Schema {
  if (!isResource(schema, level) || !META_FIELDS.includes(name) || asText(part.type) !== '') return part
  return {...part, type: name === 'metadata' ? 'object' : 'string'}
}

/** With unknown fields kept where they are the point, or where the CRD said so. */
function withPayload(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
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

function isResource(schema: Schema, level: Level): boolean {
  return level === 'root' || schema[EMBEDDED] === true
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
    counts || compares || branches.some(each => countsFields(each) || each.additionalProperties === false)
  )
}

/** With the fields that are required or that junctors speak of, or v1 would drop them before it looks for them. */
function withNamedFields(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
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
