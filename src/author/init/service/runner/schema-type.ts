import {
  asObject,
  asText,
  asTexts,
  isJsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../../yaml/json-value.js'

/** Returns the type in TypeScript of the values that an OpenAPI schema accepts, indented for its place. */
export function schemaType(schema: JsonObject, indent = ''): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string'
  const type = plainType(schema, indent)
  return schema.nullable === true ? `${type} | null` : type
}

function plainType(schema: JsonObject, indent: string): string {
  if (isJsonArray(schema.enum) && schema.enum.length > 0) return schema.enum.map(literal).join(' | ')
  const plain = PLAIN[asText(schema.type)]
  if (plain !== undefined) return plain
  if (schema.type === 'array') return `readonly (${schemaType(asObject(schema.items), indent)})[]`
  if (schema.type !== 'object') return ANYTHING
  const {properties, additionalProperties} = schema
  if (properties !== undefined) return objectType(schema, indent)
  return `Readonly<Record<string, ${schemaType(asObject(additionalProperties), indent)}>>`
}

const ANYTHING = 'JsonValue'

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

function objectType({properties, required}: JsonObject, indent: string): string {
  const [inside, names] = [`${indent}  `, asTexts(required)]
  const fields = sortedFields(properties).map(([name, value]) => {
    const schema = asObject(value)
    const key = `${inside}readonly ${propertyName(name)}${names.includes(name) ? '' : '?'}`
    return `${comment(asText(schema.description), inside)}${key}: ${schemaType(schema, inside)}\n`
  })
  return fields.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${fields.join('')}${indent}}`
}

/** Returns the fields of an object in an order that does not depend on its file. */
export function sortedFields(properties: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return Object.entries(asObject(properties)).sort(([a], [b]) => (a < b ? -1 : 1))
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

/** A text of the definition must not end the comment. */
function comment(description: string, indent: string): string {
  const text = description.replaceAll('*/', '* /').replace(/\s+/g, ' ').trim()
  return text === '' ? '' : `${indent}/** ${text} */\n`
}

/** Returns a literal of a text, a number or a truth value. */
export function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : String(value)
}
