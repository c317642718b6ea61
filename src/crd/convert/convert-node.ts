import {asObject, asText, type FieldPath, isJsonObject, type JsonValue} from '../../yaml/json-value.js'
import {type Conversion, addDiagnostic, note} from './conversion-note.js'
import {convertBounds, convertFormat} from './convert-values.js'
import {convertJunctors, type Inexpressible, withKeys} from './convert-junctors.js'
import {withNamedFields, withPayload} from './convert-fields.js'
import {acceptAll, inexpressible, MAX_DEPTH} from './inexpressible.js'
import {isPlain, MAX_PLAIN_LEVELS} from '../plain-schema.js'
import {ANYTHING, isResource, type Level} from './level.js'
import {asIntOrString, inferredType} from './infer-type.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {checkLists} from '../checks/check-lists.js'
import {
  INT_OR_STRING,
  isGiven,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  RULES,
  type Schema,
  TYPES,
} from '../schema-node.js'

/**
 * Converts a node of a v1beta1 schema and all nodes below it to a structural schema, with the same values valid. A
 * part without a structural form becomes a diagnostic, and a node that accepts everything that the old one did.
 */
export function convertNode(
  schema: Schema,
  level: Level,
  path: FieldPath,
  to: Conversion,
  depth = 0,
): Schema {
  if (staysAsItIs(schema, level, to, depth)) return schema
  const reason = inexpressible(schema, level, depth)
  if (reason !== undefined) {
    addDiagnostic(to, path, reason)
    return acceptAll(schema, level)
  }
  const typed = withType(withoutNoise(schema, level, path, to), level, path, to)
  const lossy: Inexpressible[] = []
  const whole = withParts(typed, level, path, to, depth)
  const named = withNamedFields(withPayload(whole, level, path, to), level, path, to)
  const converted = convertJunctors(named, path, lossy)
  if (lossy.length === 0 && converted !== named && junctorsDiffer(converted, named)) {
    note(to, 'junctor-rewritten', path, 'its junctors were rewritten, with the same values valid')
  }
  const out = convertBounds(converted, path, to)
  checkLists(out, {path: '', place: path}, (_, spot, message) =>
    lossy.push({path: spot.place, reason: message}),
  )
  for (const {path: at, reason: why} of lossy) addDiagnostic(to, at, why)
  return lossy.length === 0 ? out : acceptAll(schema, level)
}

function staysAsItIs(schema: Schema, level: Level, {preserve}: Conversion, depth: number): boolean {
  return level === 'below' && preserve !== true && depth + MAX_PLAIN_LEVELS <= MAX_DEPTH && isPlain(schema)
}

function junctorsDiffer(a: Schema, b: Schema): boolean {
  const keys = ['allOf', 'anyOf', 'oneOf', 'not']
  return keys.some(key => !jsonEqual(a[key], b[key]))
}

/** Removes keywords that had no effect on the old server. */
function withoutNoise(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
  const rest = Object.keys(schema).some(key => NOISE.has(key)) ? removeNoise(schema, level, path, to) : schema
  return level === 'metadata' ? onlyNames(rest, path, to) : rest
}

/** Every keyword that may be removed. */
const NOISE: ReadonlySet<string> = new Set([
  ...['id', '$schema', '$ref', 'definitions', 'dependencies', 'nullable', 'default'],
  RULES,
  PRESERVE,
])

function removeNoise(schema: Schema, level: Level, path: FieldPath, to: Conversion): Schema {
  const dropped = ['id', '$schema', '$ref', 'definitions', RULES, ...(level === 'root' ? ['nullable'] : [])]
  const keys = dropped.filter(key => schema[key] !== undefined)
  // A server rejects even an empty one.
  if (schema.dependencies !== undefined) keys.push('dependencies')
  if (keys.length > 0) note(to, 'keyword-dropped', path, `${keys.join(', ')} had no effect`)
  if (schema.default !== undefined) note(to, 'default-dropped', path, 'v1beta1 applied no defaults')
  const gone = Object.fromEntries([...keys, 'default'].map(key => [key, undefined]))
  return withKeys(schema, {...gone, [PRESERVE]: schema[PRESERVE] === true ? true : undefined})
}

/** In the metadata of a resource, v1 allows a schema to describe only the name. */
function onlyNames(schema: Schema, path: FieldPath, to: Conversion): Schema {
  const names = propertiesOf(schema).filter(([name]) => name === 'name' || name === 'generateName')
  const kept = {type: 'object', ...(names.length === 0 ? {} : {properties: Object.fromEntries(names)})}
  if (Object.keys(schema).some(key => !(key in kept)) || names.length < propertiesOf(schema).length) {
    note(to, 'metadata-dropped', path, 'a v1 schema may describe only the names in metadata')
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
    const wrong = isResource(schema, level) ? metaFieldDiagnostic(name, part) : undefined
    if (wrong !== undefined) {
      addDiagnostic(to, at, wrong)
      return [name, {type: typeOfMetaField(name)}]
    }
    return [name, convertNode(metaField(schema, level, name, part), partLevel, at, to, depth + 1)]
  })
  if (schema.type === 'array' && !isJsonObject(items))
    note(to, 'items-added', path, 'its items may be anything')
  return withKeys(schema, {
    properties: withProperties(schema, properties),
    items: isJsonObject(items) ? below(items, 'items') : schema.type === 'array' ? ANYTHING : undefined,
    additionalProperties: isJsonObject(additionalProperties)
      ? below(additionalProperties, 'additionalProperties')
      : additionalProperties,
  })
}

/** The same object if no property changes, as most do not. */
function withProperties(
  schema: Schema,
  converted: readonly (readonly [string, Schema])[],
): JsonValue | undefined {
  if (converted.length === 0) return undefined
  const properties = asObject(schema.properties)
  return converted.every(([name, part]) => part === properties[name])
    ? properties
    : Object.fromEntries(converted)
}

/** apiVersion and kind of a resource are strings, and metadata is an object, also where its schema has no type. */
function metaField(schema: Schema, level: Level, name: string, part: Schema): Schema {
  if (!isResource(schema, level) || !META_FIELDS.includes(name) || asText(part.type) !== '') return part
  return {...part, type: typeOfMetaField(name)}
}

/** The built-in fields of a resource have one type each. */
function metaFieldDiagnostic(name: string, part: Schema): string | undefined {
  if (!META_FIELDS.includes(name)) return undefined
  const type = typeOfMetaField(name)
  const own = asText(part.type)
  if (part[INT_OR_STRING] === true || part.format === 'int-or-string')
    return `${name} must be of type ${type}`
  return own === '' || own === type ? undefined : `${name} must be of type ${type}, not ${own}`
}

function typeOfMetaField(name: string): string {
  return name === 'metadata' ? 'object' : 'string'
}
