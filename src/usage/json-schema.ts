import {
  additionalOf,
  EMBEDDED,
  INT_OR_STRING,
  isIntOrStringPattern,
  itemsOf,
  JUNCTORS,
  listOf,
  LIST_TYPE,
  META_FIELDS,
  PRESERVE,
  propertiesOf,
  type Schema,
} from '../crd/schema-node.js'
import {asObject, asText, asTexts, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {OBJECT_META} from './validation/object-meta.js'

/** The kind and version that a schema is for. */
export interface SchemaKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/**
 * Returns the schema of a version of a CRD in draft 7 of JSON Schema, without extensions of Kubernetes. It rejects what an API
 * server rejects, and fields that it reports as unknown. Rules in CEL, unique keys of lists, formats with another meaning and
 * patterns that editors cannot read are left out.
 */
export function jsonSchema(schema: Schema, {group, version, kind}: SchemaKind): JsonObject {
  const root = nodeOf(schema, {isEmbedded: true})
  const {metadata} = asObject(schema.properties)
  return {
    ...root,
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      ...asObject(root.properties),
      apiVersion: {type: 'string', enum: [`${group}/${version}`]},
      kind: {type: 'string', enum: [kind]},
      metadata: objectMeta(asObject(metadata)),
    },
  }
}

/** Where a node is. */
interface Place {
  /** Whether it is an object with `apiVersion`, `kind` and `metadata`. */
  readonly isEmbedded?: boolean
  /** Whether unknown fields are kept because the list around it keeps them. */
  readonly isKept?: boolean
}

function nodeOf(
  schema: Schema,
  {isEmbedded = schema[EMBEDDED] === true, isKept = false}: Place = {},
): Schema {
  const keeps = isKept || schema[PRESERVE] === true
  return {
    ...texts(schema),
    ...typeOf(schema),
    ...valuesOf(schema),
    ...branches(schema, schema),
    ...fieldsOf(schema, {isEmbedded, isKept: keeps}),
    ...itemsIn(schema, keeps),
  }
}

const TEXTS = ['title', 'description', 'default']

function texts(schema: Schema): JsonObject {
  return pick(schema, TEXTS)
}

function pick(schema: Schema, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key): [string, JsonValue][] => (isAbsent(schema[key]) ? [] : [[key, schema[key] ?? null]])),
  )
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === ''
}

/** A null in a field that is not nullable is dropped by a plain creation, and rejected by a server-side apply. */
function typeOf(schema: Schema): JsonObject {
  const type = asText(schema.type)
  const types = schema[INT_OR_STRING] === true ? ['integer', 'string'] : type === '' ? [] : [type]
  const [only, ...others] = schema.nullable === true && types.length > 0 ? [...types, 'null'] : types
  if (only === undefined) return {}
  return {type: others.length === 0 ? only : [only, ...others]}
}

const LIMITS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties', 'multipleOf']
/** Formats whose meaning in JSON Schema is that of an API server. */
const FORMATS = ['date', 'date-time']

/** What a value must satisfy, of a node or of a branch of one. */
function valuesOf(schema: Schema): JsonObject {
  const {pattern, format, minProperties} = schema
  const values = listOf(schema.enum)
  return {
    ...(values.length === 0 ? {} : {enum: values}),
    ...pick(schema, LIMITS),
    ...bound(schema, 'minimum', 'exclusiveMinimum'),
    ...bound(schema, 'maximum', 'exclusiveMaximum'),
    ...(isPortable(asText(pattern)) ? {pattern: asText(pattern)} : {}),
    ...(FORMATS.includes(asText(format)) ? {format: asText(format)} : {}),
    ...(isAbsent(minProperties) || hasDefaults(schema) ? {} : {minProperties: minProperties ?? 0}),
    ...(schema[LIST_TYPE] === 'set' ? {uniqueItems: true} : {}),
  }
}

/** CRDs have the booleans of draft 4 in place of a number. */
function bound(schema: Schema, limit: string, exclusive: string): JsonObject {
  const value = schema[limit]
  if (value === undefined || value === null) return {}
  return {[schema[exclusive] === true ? exclusive : limit]: value}
}

/** Parts of patterns that JavaScript, in which editors match, cannot read or reads differently from Go. */
const OF_GO = /\\[ACEpPQaz]|\\x\{|\[\[?\^?:|\(\?(?!:)/

function isPortable(pattern: string): boolean {
  if (pattern === '' || OF_GO.test(pattern)) return false
  try {
    return new RegExp(pattern).source !== ''
  } catch {
    return false
  }
}

/** A server adds defaults before it validates, so that such a field is never missing. */
function requiredIn({required}: Schema, {properties}: Schema, always: readonly string[] = []): JsonObject {
  const fields = asObject(properties)
  const names = asTexts(required).filter(name => isAbsent(asObject(fields[name]).default))
  const all = [...new Set([...always, ...names])]
  return all.length === 0 ? {} : {required: all}
}

function hasDefaults(schema: Schema): boolean {
  return propertiesOf(schema).some(([, field]) => !isAbsent(field.default))
}

/** A branch restricts values only: which fields exist is said by the node around it. */
function branches(schema: Schema, node: Schema): JsonObject {
  const junctors = JUNCTORS.flatMap((junctor): [string, JsonValue][] => {
    const all = listOf(schema[junctor])
    if (all.length === 0 || (schema[INT_OR_STRING] === true && isIntOrStringPattern(all))) return []
    return [[junctor, all.map(part => branchOf(asObject(part), node))]]
  })
  const {not} = schema
  return {...Object.fromEntries(junctors), ...(isJsonObject(not) ? {not: branchOf(not, node)} : {})}
}

function branchOf(branch: Schema, node: Schema): Schema {
  const fields = asObject(node.properties)
  const properties = propertiesOf(branch).map(([name, part]): [string, JsonValue] => [
    name,
    branchOf(part, asObject(fields[name])),
  ])
  const [items, additional] = [itemsOf(branch), additionalOf(branch)]
  return {
    ...typeOf(branch),
    ...valuesOf(branch),
    ...requiredIn(branch, node),
    ...branches(branch, node),
    ...(properties.length === 0 ? {} : {properties: Object.fromEntries(properties)}),
    ...(items === undefined ? {} : {items: branchOf(items, itemsOf(node) ?? {})}),
    ...(additional === undefined
      ? {}
      : {additionalProperties: branchOf(additional, additionalOf(node) ?? {})}),
  }
}

function fieldsOf(schema: Schema, {isEmbedded, isKept}: Required<Place>): JsonObject {
  const own = propertiesOf(schema).map(([name, field]): [string, JsonValue] => [name, nodeOf(field)])
  const properties = Object.fromEntries([...(isEmbedded ? RESOURCE_FIELDS : []), ...own])
  return {
    ...requiredIn(schema, schema, isEmbedded ? ['apiVersion', 'kind'] : []),
    ...(Object.keys(properties).length === 0 ? {} : {properties}),
    ...otherFields(schema, isKept),
  }
}

function otherFields(schema: Schema, isKept: boolean): JsonObject {
  const additional = additionalOf(schema)
  if (additional !== undefined) return {additionalProperties: nodeOf(additional)}
  const isOpen = isKept || schema.additionalProperties === true || schema.type !== 'object'
  return isOpen ? {} : {additionalProperties: false}
}

function itemsIn(schema: Schema, isKept: boolean): JsonObject {
  const items = itemsOf(schema)
  return items === undefined ? {} : {items: nodeOf(items, {isKept, isEmbedded: items[EMBEDDED] === true})}
}

const TEXT = {type: 'string'}

/** A CRD can restrict the name only. */
function objectMeta(schema: Schema): JsonObject {
  const restricted = propertiesOf(schema).flatMap(([name, field]): [string, JsonValue][] => {
    const own = OBJECT_META.properties[name]
    return isJsonObject(own) ? [[name, {...field, ...own}]] : []
  })
  const properties = {...OBJECT_META.properties, ...Object.fromEntries(restricted)}
  return {...texts(schema), ...nodeOf({...OBJECT_META, properties})}
}

const RESOURCE_FIELDS: readonly [string, JsonValue][] = META_FIELDS.map(name => [
  name,
  name === 'metadata' ? objectMeta({}) : TEXT,
])
