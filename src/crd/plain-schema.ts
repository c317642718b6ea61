import {asText, asTexts, isJsonObject, type JsonValue} from '../yaml/json-value.js'
import {isGiven, type Schema, TYPES} from './schema-node.js'

/** The maximum number of levels of a plain schema. */
export const MAX_PLAIN_LEVELS = 40

/** The results for schemas that callers have, and for all that are not plain. */
const judged = new WeakMap<Schema, boolean>()

/**
 * Reports whether a schema below the root of a resource has types, names and descriptions only, as most of a generated
 * CRD: conversion changes nothing of it, unless the CRD preserves unknown fields, and no check reports anything. A schema
 * is walked once for that in place of once for each kind of check.
 */
export function isPlain(schema: Schema): boolean {
  const cached = judged.get(schema)
  if (cached !== undefined) return cached
  const plain = isPlainWithin(MAX_PLAIN_LEVELS, schema)
  judged.set(schema, plain)
  return plain
}

/** What is not plain is remembered on all levels, so that a schema with one such node is not walked again for each level. */
function isPlainWithin(levels: number, schema: JsonValue | undefined): boolean {
  if (!isJsonObject(schema) || levels === 0 || judged.get(schema) === false) return false
  const plain = isPlainNode(schema) && hasPlainParts(levels - 1, schema)
  if (!plain) judged.set(schema, false)
  return plain
}

function hasPlainParts(levels: number, {items, additionalProperties, properties}: Schema): boolean {
  if (items !== undefined) return isPlainWithin(levels, items)
  if (additionalProperties !== undefined) return isPlainWithin(levels, additionalProperties)
  return (
    !isJsonObject(properties) || Object.keys(properties).every(key => isPlainWithin(levels, properties[key]))
  )
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'description', 'enum', 'format', 'items', 'properties', 'required', 'type'],
])

/** Reports whether a node has only keywords for its type, as every server reads them. */
function isPlainNode(schema: Schema): boolean {
  return Object.keys(schema).every(key => KEYWORDS.has(key)) && fitsType(schema)
}

function fitsType(schema: Schema): boolean {
  const {format, items} = schema
  const type = asText(schema.type)
  if (format !== undefined && format !== FORMATS[type]) return false
  if ((type === 'array') !== (items !== undefined)) return false
  return type === 'object' ? isPlainObject(schema) : TYPES.includes(type) && hasNoFields(schema)
}

/** The formats that mean the same to every server. */
const FORMATS: Readonly<Record<string, string>> = {string: 'date-time', integer: 'int64'}

function hasNoFields({properties, additionalProperties, required}: Schema): boolean {
  return properties === undefined && additionalProperties === undefined && required === undefined
}

/** An object with named fields, which include the required ones, or a map. */
function isPlainObject({properties, additionalProperties, required, enum: values}: Schema): boolean {
  if (values !== undefined) return false
  if (!isJsonObject(properties))
    return properties === undefined && required === undefined && additionalProperties !== undefined
  return (
    additionalProperties === undefined &&
    isGiven(properties) &&
    asTexts(required).every(name => Object.hasOwn(properties, name))
  )
}
