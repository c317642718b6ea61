import {asObject, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {child, entry, item, type Spot} from './schema-diagnostic.js'

export const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const
export const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
export const INT_OR_STRING = 'x-kubernetes-int-or-string'
export const EMBEDDED = 'x-kubernetes-embedded-resource'
export const LIST_TYPE = 'x-kubernetes-list-type'
export const LIST_MAP_KEYS = 'x-kubernetes-list-map-keys'
export const MAP_TYPE = 'x-kubernetes-map-type'
export const RULES = 'x-kubernetes-validations'
/** The built-in fields of an object. */
export const META_FIELDS = ['apiVersion', 'kind', 'metadata']
export const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** A JSONSchemaProps, of which Go omits empty fields. */
export type Schema = JsonObject

/** Reports whether Go would see a value: an empty string, false, an empty list and an empty map count as absent. */
export function isGiven(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Lists the keywords of a schema that have a value, in their order. */
export function givenKeys(schema: Schema): string[] {
  return Object.keys(schema).filter(key => isGiven(schema[key]) || isPresent(schema, key))
}

/** Keywords whose presence counts in Go, even if they are empty. */
const POINTERS = new Set([
  '$ref',
  'default',
  'example',
  'externalDocs',
  'items',
  'additionalItems',
  'additionalProperties',
  'not',
  PRESERVE,
  LIST_TYPE,
  MAP_TYPE,
])

function isPresent(schema: Schema, key: string): boolean {
  return POINTERS.has(key) && schema[key] !== undefined && schema[key] !== null
}

/** The schemas of `properties`, with their names. */
export function propertiesOf(schema: Schema): [string, Schema][] {
  return Object.entries(asObject(schema.properties)).map(([name, value]) => [name, asObject(value)])
}

/** The schema of a property; undefined if `properties` does not name it. */
export function propertyOf({properties}: Schema, name: string): Schema | undefined {
  return isJsonObject(properties) && Object.hasOwn(properties, name) ? asObject(properties[name]) : undefined
}

/** The one schema of `items`; undefined for none or a list of them. */
export function itemsOf({items}: Schema): Schema | undefined {
  return isJsonObject(items) ? items : undefined
}

/** The schema of `additionalProperties`; undefined for true, false and nothing. */
export function additionalOf({additionalProperties}: Schema): Schema | undefined {
  return isJsonObject(additionalProperties) ? additionalProperties : undefined
}

/** The branches of allOf, anyOf and oneOf, and `not`, each with its place. */
export function branchesOf(schema: Schema, spot: Spot): readonly [Schema, Spot][] {
  if (!hasBranches(schema)) return []
  const listed = JUNCTORS.flatMap(junctor =>
    listOf(schema[junctor]).map((branch, index): [Schema, Spot] => [
      asObject(branch),
      item(child(spot, junctor), index),
    ]),
  )
  return isJsonObject(schema.not) ? [...listed, [schema.not, child(spot, 'not')]] : listed
}

/** Few schemas have any. */
export function hasBranches({allOf, anyOf, oneOf, not}: Schema): boolean {
  return allOf !== undefined || anyOf !== undefined || oneOf !== undefined || not !== undefined
}

/** The schemas of a value's parts: properties, items and additional properties, each with its place. */
export function partsOf(schema: Schema, spot: Spot): [Schema, Spot][] {
  const parts: [Schema, Spot][] = []
  const items = itemsOf(schema)
  if (items !== undefined) parts.push([items, child(spot, 'items')])
  const {properties} = schema
  if (isJsonObject(properties)) {
    const around = child(spot, 'properties')
    for (const name of Object.keys(properties)) parts.push([asObject(properties[name]), entry(around, name)])
  }
  const additional = additionalOf(schema)
  if (additional !== undefined) parts.push([additional, child(spot, 'additionalProperties')])
  return parts
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

/** Reports whether a list of branches is the only notation for two types that structural schemas allow. */
export function isIntOrStringPattern(branches: JsonValue | undefined): boolean {
  const types = listOf(branches).map(branch => {
    const schema = asObject(branch)
    return givenKeys(schema).join() === 'type' ? schema.type : undefined
  })
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string'
}
