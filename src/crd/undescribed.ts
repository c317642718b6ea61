import {asObject, isJsonArray, isJsonObject, type JsonValue} from '../yaml/json-value.js'

/** The keywords whose values are schemas by name: there, `description` is the name of a field. */
const BY_NAME = ['definitions', 'patternProperties', 'properties']
/** The keywords whose values are data. */
const DATA = ['default', 'enum', 'example']

/** Returns a schema without what only documents it. */
export function undescribed(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(undescribed)
  if (!isJsonObject(schema)) return schema
  const entries = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === 'description' || key === 'externalDocs' || key === 'example') return []
    if (DATA.includes(key)) return [[key, value]]
    return [[key, BY_NAME.includes(key) ? eachUndescribed(value) : undescribed(value)]]
  })
  return Object.fromEntries(entries)
}

function eachUndescribed(value: JsonValue): JsonValue {
  return Object.fromEntries(
    Object.entries(asObject(value)).map(([name, schema]) => [name, undescribed(schema)]),
  )
}
