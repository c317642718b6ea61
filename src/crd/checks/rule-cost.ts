import {asText, asTexts} from '../../yaml/json-value.js'
import {additionalOf, INT_OR_STRING, propertyOf, type Schema} from '../schema-node.js'
import type {SelfMatch} from '../schema-rules.js'

/** The estimated cost up to which an API server accepts a rule. */
const MAX_COST = 10_000_000
/** The largest request, in bytes. */
const MAX_REQUEST = 3 * 1024 * 1024

/**
 * Returns the first of the matched texts that alone makes a rule too expensive for an API server. The rest of the rule adds to its cost, so
 * that a text without a limit is certain to be rejected; other rules are left to the server.
 * @param occurrences - how many values of the schema an object can have: the product of all limits around it, or infinity.
 */
export function costlyMatch(
  schema: Schema,
  occurrences: number,
  matches: readonly SelfMatch[],
): SelfMatch | undefined {
  const isLimited = Number.isFinite(occurrences)
  const times = isLimited ? occurrences : Math.floor(MAX_REQUEST / (leastSize(schema) + 1))
  return matches.find(({path, pattern}) => {
    const length = textLength(path.reduce<Schema | undefined>(fieldOf, schema))
    return length !== undefined && matchCost(length, pattern) * times > MAX_COST
  })
}

/** The estimate of cel-go: a part of the text for each of the parts of the pattern. */
function matchCost(length: number, pattern: string): number {
  return Math.ceil((length + 1) * 0.1) * Math.ceil([...pattern].length * 0.25)
}

function fieldOf(schema: Schema | undefined, name: string): Schema | undefined {
  return schema && propertyOf(schema, name)
}

/** The most bytes of a text; undefined for what has another type in rules, or limits of its own. */
function textLength(schema: Schema | undefined): number | undefined {
  if (schema?.type !== 'string' || schema[INT_OR_STRING] === true) return undefined
  if (asText(schema.format) !== '' || schema.enum !== undefined) return undefined
  const {maxLength} = schema
  return typeof maxLength === 'number' ? maxLength * 4 : MAX_REQUEST - 2
}

/** At least as many bytes as the server's estimate for the smallest value. */
function leastSize(schema: Schema): number {
  if (schema.type === 'string' && asText(schema.format) === '') return EMPTY
  if (schema.type !== 'object' || additionalOf(schema) !== undefined) return LEAST_SCALAR
  const sizes = asTexts(schema.required).map(name => {
    const field = propertyOf(schema, name)
    return field === undefined || field.default !== undefined ? 0 : name.length * 3 + leastSize(field) + 4
  })
  return sizes.reduce((sum, size) => sum + size, EMPTY)
}

/** The bytes around a text and the fields of an object. */
const EMPTY = 2
/** A time has the most. */
const LEAST_SCALAR = 32
