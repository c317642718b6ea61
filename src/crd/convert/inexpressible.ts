import {asText, isJsonArray} from '../../yaml/json-value.js'
import {goPatternError} from '../go-pattern.js'
import {EMBEDDED, isGiven, PRESERVE, type Schema, TYPES} from '../schema-node.js'
import {withKeys} from './convert-junctors.js'
import {ANYTHING, type Level} from './level.js'

/** The depth limit of schemas; schemas written by hand are far below. */
export const MAX_DEPTH = 100

/** Returns why a node has no structural form, regardless of its fields. */
export function inexpressible(schema: Schema, level: Level, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `it is more than ${MAX_DEPTH} levels deep`
  const type = asText(schema.type)
  if (type !== '' && !TYPES.includes(type)) return `${type} is not a type`
  if (level !== 'below' && type !== '' && type !== 'object') return 'it must be an object'
  if (isJsonArray(schema.items)) return 'all items have one schema'
  return keywordReason(schema) ?? mapReason(schema, level) ?? patternReason(schema)
}

function keywordReason(schema: Schema): string | undefined {
  const keys = ['$ref', 'patternProperties', 'dependencies', 'uniqueItems', 'additionalItems']
  const key = keys.find(text => isGiven(schema[text]) || (text === 'additionalItems' && text in schema))
  return key === undefined ? undefined : `${key} is not supported`
}

function mapReason(schema: Schema, level: Level): string | undefined {
  const {additionalProperties} = schema
  if (additionalProperties === undefined || additionalProperties === true) return undefined
  if (isGiven(schema.properties)) return 'properties and additionalProperties are mutually exclusive'
  return level === 'root' || schema[EMBEDDED] === true ? 'a resource is not a map' : undefined
}

function patternReason(schema: Schema): string | undefined {
  const pattern = asText(schema.pattern)
  const reason = pattern === '' ? undefined : goPatternError(pattern)
  return reason === undefined ? undefined : `Go does not compile the pattern ${pattern}: ${reason}`
}

/** Returns a schema that accepts all values of the node's type. */
export function acceptAll(schema: Schema, level: Level): Schema {
  const {description, title, type} = schema
  const kept = withKeys({}, {description, title, nullable: schema.nullable})
  if (level === 'root') return withKeys(kept, {nullable: undefined, type: 'object', [PRESERVE]: true})
  if (level === 'metadata') return {type: 'object'}
  if (type === 'object') {
    return withKeys(kept, {type, [PRESERVE]: true, [EMBEDDED]: schema[EMBEDDED]})
  }
  if (type === 'array') return {...kept, type, items: ANYTHING}
  return typeof type === 'string' && TYPES.includes(type) ? {...kept, type} : {...kept, ...ANYTHING}
}
