import {asObject, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {additionalOf, itemsOf, propertyOf, type Schema} from '../schema-node.js'

/**
 * An object as the API server validates it: without nulls in fields that are not nullable, and with the defaults of the
 * schema. The algorithm is Kubernetes' own: apiextensions-apiserver/pkg/apiserver/schema/defaulting.
 */
export function withDefaults(object: JsonObject, schema: Schema): JsonObject {
  const additional = additionalOf(schema)
  const whole: [string, JsonValue][] = []
  const add = (name: string, value: JsonValue | undefined, field: Schema | undefined) => {
    if (value !== undefined) whole.push([name, defaulted(value, field)])
  }
  for (const [name, value] of Object.entries(object)) {
    const field = propertyOf(schema, name) ?? additional
    const isDropped = value === null && field !== undefined && field.nullable !== true
    add(name, isDropped ? defaultOf(field) : value, field)
  }
  for (const [name, field] of Object.entries(asObject(schema.properties)))
    if (isJsonObject(field) && !Object.hasOwn(object, name)) add(name, defaultOf(field), field)
  return Object.fromEntries(whole)
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

/** A null is no default. */
function defaultOf(schema: Schema): JsonValue | undefined {
  return schema.default ?? undefined
}
