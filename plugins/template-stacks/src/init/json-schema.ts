import {
  asObject,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import {valueType} from './value-type.js'

/**
 * Returns a JSON schema (draft 4 to 2020-12) as a structural schema of Kubernetes: references are resolved, a choice of
 * types becomes the one type that has them all. Conditions that a structural schema cannot express, such as `if`, are
 * left to the chart, which checks them itself.
 */
export function jsonSchemaNode(
  schema: JsonValue,
  root: JsonObject,
  seen: readonly string[] = [],
): JsonObject {
  if (!isJsonObject(schema)) return OPEN
  const reference = asText(schema.$ref)
  if (reference !== '') return ofReference(reference, schema, root, seen)
  return {...described(schema), ...typed(schema, root, seen)}
}

const OPEN: JsonObject = {'x-kubernetes-preserve-unknown-fields': true}

/** A reference to itself has no end: its fields are not described. References to other files are not followed. */
function ofReference(
  reference: string,
  {description}: JsonObject,
  root: JsonObject,
  seen: readonly string[],
): JsonObject {
  const target = seen.includes(reference) ? undefined : pointedAt(reference, root)
  const node = target === undefined ? OPEN : jsonSchemaNode(target, root, [...seen, reference])
  return typeof description === 'string' ? {...node, description} : node
}

/** https://www.rfc-editor.org/rfc/rfc6901 */
function pointedAt(reference: string, root: JsonObject): JsonValue | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  const steps = reference.split('/').slice(1)
  return steps.reduce<JsonValue | undefined>((value, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isJsonArray(value) ? value[Number(name)] : asObject(value)[name]
  }, root)
}

function described({description, title}: JsonObject): JsonObject {
  const text = typeof description === 'string' ? description : title
  return typeof text === 'string' && text !== '' ? {description: text} : {}
}

/** The types of a schema without `null`, which a structural schema has as `nullable`. */
function typed(schema: JsonObject, root: JsonObject, seen: readonly string[]): JsonObject {
  const types = typesOf(schema)
  const nullable: JsonObject = types.includes('null') ? {nullable: true} : {}
  const others = types.filter(type => type !== 'null')
  const [type] = others
  if (others.length === 2 && others.includes('integer') && others.includes('string')) {
    return {...nullable, 'x-kubernetes-int-or-string': true}
  }
  if (type === undefined || others.length > 1) return {...nullable, ...OPEN}
  return {...nullable, ...ofType(type, schema, root, seen)}
}

function typesOf({type, properties, items, ...schema}: JsonObject): readonly string[] {
  if (typeof type === 'string') return [type]
  if (isJsonArray(type)) return type.filter(each => typeof each === 'string')
  if (isJsonObject(properties)) return ['object']
  if (items !== undefined) return ['array']
  const choices = [...valuesOf(schema.enum), ...(schema.const === undefined ? [] : [schema.const])]
  return [...new Set(choices.map(valueType))]
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

function ofType(type: string, schema: JsonObject, root: JsonObject, seen: readonly string[]): JsonObject {
  switch (type) {
    case 'object':
      return {type, ...objectFields(schema, root, seen)}
    case 'array':
      return {type, items: itemsOf(schema, root, seen), ...copied(schema, ['minItems', 'maxItems'])}
    case 'string':
      return {type, ...choices(schema), ...copied(schema, ['pattern', 'minLength', 'maxLength'])}
    case 'integer':
    case 'number':
      return {type, ...choices(schema), ...bounds(schema), ...copied(schema, ['multipleOf'])}
    case 'boolean':
      return {type}
    default:
      return OPEN
  }
}

function objectFields(schema: JsonObject, root: JsonObject, seen: readonly string[]): JsonObject {
  const {properties, additionalProperties, required} = schema
  const fields = Object.entries(asObject(properties))
  if (fields.length > 0) {
    const names = valuesOf(required).filter(name => fields.some(([field]) => field === name))
    return {
      properties: Object.fromEntries(
        fields.map(([name, field]) => [name, jsonSchemaNode(field, root, seen)]),
      ),
      ...(names.length === 0 ? {} : {required: names}),
    }
  }
  if (isJsonObject(additionalProperties)) {
    return {additionalProperties: jsonSchemaNode(additionalProperties, root, seen)}
  }
  return OPEN
}

function itemsOf({items}: JsonObject, root: JsonObject, seen: readonly string[]): JsonObject {
  return isJsonObject(items) ? jsonSchemaNode(items, root, seen) : OPEN
}

function choices(schema: JsonObject): JsonObject {
  const values = isJsonArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const]
  const listed = values.filter(value => value !== null)
  return listed.length === 0 ? {} : {enum: listed}
}

/** Since draft 6, an exclusive bound is a number; OpenAPI v3 has it beside the bound, as draft 4. */
function bounds(schema: JsonObject): JsonObject {
  return {...bound(schema, 'minimum', 'exclusiveMinimum'), ...bound(schema, 'maximum', 'exclusiveMaximum')}
}

function bound(schema: JsonObject, name: string, exclusive: string): JsonObject {
  const limit = schema[exclusive]
  if (typeof limit === 'number') return {[name]: limit, [exclusive]: true}
  const {[name]: value} = schema
  if (typeof value !== 'number') return {}
  return limit === true ? {[name]: value, [exclusive]: true} : {[name]: value}
}

function copied(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = schema[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
