import {
  asObject,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from 'kubectl-crossplane/plugin'
import {valueType} from './value-type.js'

/** A JSON schema as a structural schema of Kubernetes. */
export interface StructuralSchema {
  readonly schema: JsonObject
  /** Whether it is so large, with all of its references, that some fields are not described. */
  readonly isCut: boolean
}

/** How many parts a schema has at most: a reference within a reference can stand for thousands of them. */
const MAX_PARTS = 20_000
const MAX_DEPTH = 100

/** The file, and the limit of its parts. */
interface Source {
  readonly root: JsonObject
  /** Reports whether one more can be described, which is then counted. */
  readonly spend: () => boolean
}

/**
 * Returns a JSON schema (draft 4 to 2020-12) as a structural schema of Kubernetes, which accepts at least the same values:
 * references are resolved, a choice of types becomes the one type that has them all. Conditions that a structural schema
 * cannot express, such as `if`, are left to the chart, which checks them itself. As in JSON Schema, an object can have other
 * fields than those that are described, unless `additionalProperties` is false.
 */
export function structuralSchema(root: JsonObject): StructuralSchema {
  let left = MAX_PARTS
  const schema = node(root, {root, spend: () => left-- > 0}, [])
  return {schema, isCut: left < 0}
}

function node(schema: JsonValue, source: Source, seen: readonly string[], depth = 0): JsonObject {
  if (!source.spend() || !isJsonObject(schema) || depth > MAX_DEPTH) return OPEN
  const reference = asText(schema.$ref)
  if (reference !== '') return ofReference(reference, schema, source, seen, depth)
  return {...described(schema), ...typed(schema, source, seen, depth)}
}

/** A value of any type, with all of its fields. */
export const OPEN: JsonObject = {'x-kubernetes-preserve-unknown-fields': true}

/** A reference to itself has no end: its fields are not described. References to other files are not followed. */
function ofReference(
  reference: string,
  {description}: JsonObject,
  source: Source,
  seen: readonly string[],
  depth: number,
): JsonObject {
  const target = seen.includes(reference) ? undefined : pointedAt(reference, source.root)
  const found = target === undefined ? OPEN : node(target, source, [...seen, reference], depth + 1)
  return typeof description === 'string' ? {...found, description} : found
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
function typed(schema: JsonObject, source: Source, seen: readonly string[], depth: number): JsonObject {
  const types = typesOf(schema)
  const nullable: JsonObject = types.includes('null') ? {nullable: true} : {}
  const others = types.filter(type => type !== 'null')
  const [type] = others
  if (others.length === 2 && others.includes('integer') && others.includes('string')) {
    return {...nullable, 'x-kubernetes-int-or-string': true}
  }
  // Without a type, these are the fields of values that are objects.
  if (type === undefined)
    return {...nullable, ...propertiesOf(schema, source, seen, depth), ...requiredOf(schema), ...OPEN}
  if (others.length > 1) return {...nullable, ...OPEN}
  const node = ofType(type, schema, source, seen, depth)
  // For an API server, null is never one of an enum; but it does not compare null with what is in `allOf`.
  const {enum: choices, ...rest} = node
  return types.includes('null') && choices !== undefined
    ? {...nullable, ...rest, allOf: [{enum: choices}]}
    : {...nullable, ...node}
}

function typesOf({type, ...schema}: JsonObject): readonly string[] {
  if (typeof type === 'string') return [type]
  if (isJsonArray(type)) return type.filter(each => typeof each === 'string')
  const choices = [...valuesOf(schema.enum), ...(schema.const === undefined ? [] : [schema.const])]
  return [...new Set(choices.map(valueType))]
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

function ofType(
  type: string,
  schema: JsonObject,
  source: Source,
  seen: readonly string[],
  depth: number,
): JsonObject {
  switch (type) {
    case 'object':
      return {type, ...objectFields(schema, source, seen, depth)}
    case 'array':
      return {type, items: itemsOf(schema, source, seen, depth), ...copied(schema, ['minItems', 'maxItems'])}
    case 'string':
      return {type, ...choices(schema), ...copied(schema, ['pattern', 'minLength', 'maxLength'])}
    case 'integer':
    case 'number':
      return {type, ...choices(schema), ...bounds(schema), ...wholeMultiple(schema)}
    case 'boolean':
      return {type}
    default:
      return OPEN
  }
}

function objectFields(
  schema: JsonObject,
  source: Source,
  seen: readonly string[],
  depth: number,
): JsonObject {
  const {properties, additionalProperties, patternProperties} = schema
  const names = Object.keys(asObject(properties))
  const hasPatterns = Object.keys(asObject(patternProperties)).length > 0
  if (names.length === 0 && isJsonObject(additionalProperties) && !hasPatterns) {
    return {additionalProperties: node(additionalProperties, source, seen, depth + 1)}
  }
  const isClosed = additionalProperties === false && !hasPatterns && names.length > 0
  return {
    ...propertiesOf(schema, source, seen, depth),
    ...requiredOf(schema),
    ...(isClosed ? {} : OPEN),
  }
}

function requiredOf({properties, required}: JsonObject): JsonObject {
  const names = valuesOf(required).filter(
    name => typeof name === 'string' && Object.hasOwn(asObject(properties), name),
  )
  return names.length === 0 ? {} : {required: [...new Set(names)]}
}

function propertiesOf(
  {properties}: JsonObject,
  source: Source,
  seen: readonly string[],
  depth: number,
): JsonObject {
  const fields = Object.entries(asObject(properties))
  if (fields.length === 0) return {}
  return {
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, node(field, source, seen, depth + 1)]),
    ),
  }
}

/** The schemas of single items, which may be followed by others, do not describe all. */
function itemsOf(
  {items, prefixItems}: JsonObject,
  source: Source,
  seen: readonly string[],
  depth: number,
): JsonObject {
  return isJsonObject(items) && prefixItems === undefined ? node(items, source, seen, depth + 1) : OPEN
}

/** Multiples of fractions are exact in JSON Schema, and rounded by an API server. */
function wholeMultiple({multipleOf}: JsonObject): JsonObject {
  return typeof multipleOf === 'number' && Number.isSafeInteger(multipleOf) ? {multipleOf} : {}
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
