import {asObject, asText} from '../../yaml/json-value.js'
import {withKeys} from './convert-junctors.js'
import {givenKeys, INT_OR_STRING, isIntOrStringPattern, listOf, type Schema} from '../schema-node.js'

const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const STRING_KEYWORDS = ['minLength', 'maxLength', 'pattern']
const FORMAT = 'int-or-string'

/**
 * Converts the customary notations for an integer or a string to that of structural schemas; undefined for others.
 * Without a type, null was allowed.
 */
export function asIntOrString(schema: Schema): Schema | undefined {
  const type = asText(schema.type)
  if (schema[INT_OR_STRING] === true) return canonicalPattern(withKeys(schema, {type: undefined}))
  if (schema.format === FORMAT && (type === '' || type === 'string')) {
    const nullable = type === '' ? {nullable: true} : {}
    return withKeys(schema, {type: undefined, format: undefined, [INT_OR_STRING]: true, ...nullable})
  }
  return type === '' ? fromBranches(schema) : undefined
}

function fromBranches(schema: Schema): Schema | undefined {
  for (const junctor of ['anyOf', 'oneOf']) {
    const guards = branchGuards(listOf(schema[junctor]).map(asObject))
    if (guards === undefined) continue
    const rest = withKeys(schema, {[junctor]: undefined, [INT_OR_STRING]: true, nullable: true})
    if (guards.length > 0) return withKeys(rest, {allOf: [...listOf(schema.allOf), ...guards]})
    return rest.anyOf === undefined ? {...rest, anyOf: [{type: 'integer'}, {type: 'string'}]} : rest
  }
  return undefined
}

/** The server accepts types within a junctor in this one order only. */
function canonicalPattern(schema: Schema): Schema {
  const [first, second] = listOf(schema.anyOf)
  if (!isIntOrStringPattern([second ?? null, first ?? null])) return schema
  return {...schema, anyOf: [second ?? null, first ?? null]}
}

/**
 * Returns the keywords beside the type of two branches, one for integers and one for strings. They can be used
 * without the type, because each keyword is ignored for values of the other type.
 */
function branchGuards(branches: readonly Schema[]): Schema[] | undefined {
  const [integers, strings] = ['integer', 'string'].map(type => branches.find(branch => branch.type === type))
  if (branches.length !== 2 || integers === undefined || strings === undefined) return undefined
  const guards = [guardOf(integers, NUMBER_KEYWORDS), guardOf(strings, STRING_KEYWORDS)]
  if (guards.includes(undefined)) return undefined
  return guards.flatMap(guard => (guard === undefined || Object.keys(guard).length === 0 ? [] : [guard]))
}

function guardOf(branch: Schema, keywords: readonly string[]): Schema | undefined {
  const keys = givenKeys(branch).filter(key => !['type', 'description', 'title'].includes(key))
  if (!keys.every(key => keywords.includes(key))) return undefined
  return Object.fromEntries(keys.map(key => [key, branch[key] ?? null]))
}

/** Returns the only type that a value can have, if the schema leaves the type to its junctors or to an enum. */
export function inferredType(schema: Schema): string | undefined {
  const required = listOf(schema.allOf).map(typeOf)
  const fromAll = required.find(type => type !== '')
  if (fromAll !== undefined) return fromAll
  for (const junctor of ['anyOf', 'oneOf']) {
    const types = new Set(listOf(schema[junctor]).map(typeOf))
    const [only = ''] = types
    if (types.size === 1 && only !== '') return only
  }
  const values = listOf(schema.enum)
  return values.length > 0 && values.every(value => typeof value === 'string') ? 'string' : undefined
}

function typeOf(branch: Schema[string] | undefined): string {
  return asText(asObject(branch).type)
}
