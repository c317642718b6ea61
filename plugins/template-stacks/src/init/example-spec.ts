import {asObject, asText, isJsonArray, type JsonObject, type JsonValue} from 'kubectl-crossplane/plugin'

/**
 * Returns an example of `spec`: the required fields alone, each with the first value that its schema accepts. Everything
 * else has a value in the templates.
 */
export function exampleSpec(schema: JsonObject): JsonObject {
  const properties = asObject(schema.properties)
  const required = isJsonArray(schema.required)
    ? schema.required.filter(name => typeof name === 'string')
    : []
  return Object.fromEntries(required.map(name => [name, exampleOf(asObject(properties[name]), name)]))
}

/** The values of types; that of a text is the name of its field. */
const EXAMPLES: Readonly<Record<string, (schema: JsonObject, name: string) => JsonValue>> = {
  object: exampleSpec,
  array: ({items, minItems}, name) =>
    Array.from({length: Number(minItems ?? 0)}, () => exampleOf(asObject(items), name)),
  integer: smallest,
  number: smallest,
  boolean: () => false,
}

function exampleOf(schema: JsonObject, name: string): JsonValue {
  if (schema.default !== undefined) return schema.default
  if (isJsonArray(schema.enum)) return schema.enum[0] ?? null
  return EXAMPLES[asText(schema.type)]?.(schema, name) ?? name
}

function smallest({minimum}: JsonObject): JsonValue {
  return typeof minimum === 'number' ? minimum : 1
}
