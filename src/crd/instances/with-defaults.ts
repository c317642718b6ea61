import {asObject, isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {additionalOf, itemsOf, propertyOf, type Schema} from '../schema-node.js'

/**
 * An object as the API server validates it: without nulls in fields that are not nullable, and with the defaults of the
 * schema. The algorithm is Kubernetes' own: apiextensions-apiserver/pkg/apiserver/schema/defaulting.
 */
export function withDefaults(object: JsonObject, schema: Schema): JsonObject {
  const additional = additionalOf(schema)
  const changed = new Map<string, JsonValue | undefined>()
  for (const [name, value] of Object.entries(object)) {
    const field = propertyOf(schema, name) ?? additional
    const whole = fieldWithDefaults(value, field)
    if (whole !== value) changed.set(name, whole)
  }
  const added = defaultedFields(schema).filter(([name]) => !Object.hasOwn(object, name))
  if (changed.size === 0 && added.length === 0) return object
  const kept = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
    const whole = changed.has(name) ? changed.get(name) : value
    return whole === undefined ? [] : [[name, whole]]
  })
  return Object.fromEntries([...kept, ...added])
}

/** Returns undefined for a field that is dropped. */
function fieldWithDefaults(value: JsonValue, field: Schema | undefined): JsonValue | undefined {
  const isDropped = value === null && field !== undefined && field.nullable !== true
  if (!isDropped) return defaulted(value, field)
  const own = defaultOf(field)
  return own === undefined ? undefined : defaulted(own, field)
}

/** Returns the fields with a default, and these: most schemas have many fields and no default, and are those of many objects. */
function defaultedFields(schema: Schema): readonly (readonly [string, JsonValue])[] {
  const cached = DEFAULTED.get(schema)
  if (cached !== undefined) return cached
  const properties = asObject(schema.properties)
  const fields: [string, JsonValue][] = []
  for (const name of Object.keys(properties)) {
    const field = asObject(properties[name])
    const own = defaultOf(field)
    if (own !== undefined) fields.push([name, defaulted(own, field)])
  }
  DEFAULTED.set(schema, fields)
  return fields
}

const DEFAULTED = new WeakMap<Schema, readonly (readonly [string, JsonValue])[]>()

function defaulted(value: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return value
  if (isJsonObject(value)) return withDefaults(value, schema)
  const items = itemsOf(schema)
  if (!isJsonArray(value) || items === undefined) return value
  const whole = value.map(item =>
    defaulted(item === null && items.nullable !== true ? (items.default ?? null) : item, items),
  )
  return whole.some((item, index) => item !== value[index]) ? whole : value
}

/** A null is no default. */
function defaultOf(schema: Schema): JsonValue | undefined {
  return schema.default ?? undefined
}
