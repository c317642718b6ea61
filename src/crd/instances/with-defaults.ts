import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {additionalOf, itemsOf, propertiesOf, type Schema} from '../schema-node.js'

/**
 * An object as the API server validates it: without nulls in fields that are not nullable, and with the defaults of the
 * schema. The algorithm is Kubernetes' own: apiextensions-apiserver/pkg/apiserver/schema/defaulting.
 */
export function withDefaults(object: JsonObject, schema: Schema): JsonObject {
  const fields = new Map(propertiesOf(schema))
  const additional = additionalOf(schema)
  const missing = [...fields].flatMap(([name, field]): [string, JsonValue][] =>
    Object.hasOwn(object, name) || !hasDefault(field) ? [] : [[name, field.default ?? null]],
  )
  const present = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    const fieldSchema = fields.get(name) ?? additional
    const isDropped = value === null && fieldSchema !== undefined && fieldSchema.nullable !== true
    if (!isDropped) return [[name, value]]
    return hasDefault(fieldSchema) ? [[name, fieldSchema.default ?? null]] : []
  })
  return Object.fromEntries(
    [...present, ...missing].map(([name, value]) => [name, defaulted(value, fields.get(name) ?? additional)]),
  )
}

function defaulted(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value
  if (isJsonObject(value)) return withDefaults(value, schema)
  const items = itemsOf(schema)
  if (!isJsonArray(value) || items === undefined) return value
  return value.map(item =>
    defaulted(item === null && items.nullable !== true ? (items.default ?? null) : item, items),
  )
}

function hasDefault(schema: Schema): boolean {
  return schema.default !== undefined && schema.default !== null
}
