import {
  asObject,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import {jsonSchemaNode} from './json-schema.js'
import {valueType} from './value-type.js'

/** The values of a chart, as far as they describe what its users can set. */
export interface ChartValues {
  /** The content of values.yaml; empty if there is none. */
  readonly values: JsonObject
  /** The comment above the key at that path, without its marks; undefined if there is none. */
  readonly commentAt: (path: readonly string[]) => string | undefined
  /** The content of values.schema.json. */
  readonly schema?: JsonObject
  /** Names under which the values of its subcharts are set. */
  readonly subcharts: readonly string[]
  /** Whether a template, of a subchart perhaps, reads the values that all charts have in common. */
  readonly readsGlobal: boolean
  readonly reads?: readonly ReadValue[]
}

/** A value that templates read, by its path; of a map, `whole` tells that they use all of it and not only fields. */
export interface ReadValue {
  readonly path: readonly string[]
  readonly whole: boolean
}

/**
 * Returns the schema of `spec`: what values.schema.json declares, and the types of everything else in values.yaml.
 * Defaults stay in the chart. What has no type in either, such as an empty map, keeps all fields, what
 * templates use as a whole keeps further fields, and a value that only templates name can be any. What has a default in
 * the chart can be null, with which Helm removes the default.
 */
export function chartSchema(chart: ChartValues): JsonObject {
  const {values, commentAt, schema, subcharts, readsGlobal, reads = []} = chart
  // A schema of the chart's author has all fields.
  const read = schema === undefined ? reads : []
  const ofValues = read.reduce(
    (before, {path, whole}) => withRead(before, path, whole),
    withRemovable(objectSchema(values, [], commentAt)),
  )
  const declared = schema === undefined ? ofValues : joined(jsonSchemaNode(schema, schema), ofValues)
  if (subcharts.length === 0) return declared
  const fields = asObject(declared.properties)
  const open = [...subcharts, ...(readsGlobal ? ['global'] : [])].map(name => [
    name,
    {...asObject(fields[name]), ...ANY_OBJECT},
  ])
  return {...declared, type: 'object', properties: {...fields, ...(Object.fromEntries(open) as JsonObject)}}
}

const ANY_OBJECT: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
const ANY: JsonObject = {'x-kubernetes-preserve-unknown-fields': true}

/** Adds what templates read, unless the schema has it or accepts all. */
function withRead(schema: JsonObject, [step, ...rest]: readonly string[], whole: boolean): JsonObject {
  if (schema.type !== 'object') return schema
  if (step === undefined) return whole ? {...schema, ...ANY} : schema
  const properties = asObject(schema.properties)
  if (Object.hasOwn(properties, step)) {
    const field = withRead(asObject(properties[step]), rest, whole)
    return {...schema, properties: {...properties, [step]: field}}
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return schema
  return {...schema, properties: {...properties, [step]: ANY}}
}

/** Lets each field of a map, and of maps in it, be null; Helm replaces lists as a whole. */
function withRemovable(schema: JsonObject): JsonObject {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(asObject(schema.properties)).map(([name, field]) => [
    name,
    nullable(withRemovable(asObject(field))),
  ])
  return {...schema, properties: Object.fromEntries(properties) as JsonObject}
}

function nullable({description, ...field}: JsonObject): JsonObject {
  return {...(description !== undefined && {description}), nullable: true, ...field}
}

type CommentAt = ChartValues['commentAt']

function objectSchema(value: JsonObject, path: readonly string[], commentAt: CommentAt): JsonObject {
  const properties = Object.entries(value).map(([name, field]) => {
    const inner = [...path, name]
    const description = commentAt(inner)
    const node = valueSchema(field, inner, commentAt)
    return [name, description === undefined ? node : {description, ...node}]
  })
  if (properties.length === 0) return ANY_OBJECT
  return {type: 'object', properties: Object.fromEntries(properties) as JsonObject}
}

function valueSchema(value: JsonValue, path: readonly string[], commentAt: CommentAt): JsonObject {
  if (value === null) return ANY
  if (isJsonArray(value)) return {type: 'array', items: itemSchema(value, path, commentAt)}
  if (isJsonObject(value)) return objectSchema(value, path, commentAt)
  return {type: valueType(value)}
}

/** Items of one type share its schema; their fields are those of all items together. */
function itemSchema(items: readonly JsonValue[], path: readonly string[], commentAt: CommentAt): JsonObject {
  const [first = ANY, ...others] = items.map(item => valueSchema(item, [...path, '*'], commentAt))
  if (others.some(({type}) => type !== first.type)) return ANY
  return others.reduce(joined, first)
}

/**
 * Returns the first schema with the fields that only the second has. Fields of the second are not required: they have
 * values in the chart.
 */
function joined(given: JsonObject, second: JsonObject): JsonObject {
  // For an API server, null is never one of an enum.
  const first = second.nullable === true && given.enum === undefined ? nullable(given) : given
  if (first.type !== second.type) return first
  if (first.type === 'array') return {...first, items: joined(asObject(first.items), asObject(second.items))}
  if (first.type !== 'object') return first
  if (first.additionalProperties !== undefined) return withRemovableKeys(first, second)
  const [own, further] = [asObject(first.properties), asObject(second.properties)]
  const {required, ...rest} = first
  const missing = isJsonArray(required) ? required.filter(name => !(asText(name) in further)) : []
  const properties = Object.entries({...further, ...own}).map(([name, field]) => [
    name,
    name in own && name in further ? joined(asObject(field), asObject(further[name])) : field,
  ])
  if (properties.length === 0) return first
  return {
    ...rest,
    ...(missing.length === 0 ? {} : {required: missing}),
    properties: Object.fromEntries(properties) as JsonObject,
  }
}

/** Keys of a map that have a default in the chart can be null, so all can. */
function withRemovableKeys(map: JsonObject, second: JsonObject): JsonObject {
  const each = asObject(map.additionalProperties)
  if (second.properties === undefined || each.enum !== undefined) return map
  return {...map, additionalProperties: nullable(each)}
}
