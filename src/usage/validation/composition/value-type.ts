import {INT_OR_STRING, type Schema} from '../../../crd/schema-node.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../../yaml/json-value.js'

/** The type of a value that a patch moves; undefined where it is not certain. */
export type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | undefined

/** What transforms make of a type, or why they fail for each value. */
export type Transformed = {readonly type: ValueType} | {readonly error: string; readonly index: number}

/** Returns the type of the values of a schema. */
export function typeOfSchema(schema: Schema | undefined): ValueType {
  if (schema === undefined || schema[INT_OR_STRING] === true) return undefined
  const type = asText(schema.type)
  return type === '' ? undefined : (type as ValueType)
}

/** Returns the type after transforms. */
export function transformed(type: ValueType, transforms: readonly JsonObject[]): Transformed {
  let current = type
  for (const [index, transform] of transforms.entries()) {
    const next = transformedOnce(current, transform)
    if ('error' in next) return {error: next.error, index}
    current = next.type
  }
  return {type: current}
}

function transformedOnce(
  type: ValueType,
  transform: JsonObject,
): {readonly type: ValueType} | {readonly error: string} {
  switch (asText(transform.type)) {
    case 'map':
      return textOnly('map', type) ?? {type: commonType(Object.values(asObject(transform.map)))}
    case 'match':
      return textOnly('match', type) ?? {type: undefined}
    case 'math':
      return calculated(type)
    case 'string':
      return {type: 'string'}
    case 'convert':
      return converted(type, asObject(transform.convert))
    default:
      return {type: undefined}
  }
}

function textOnly(name: string, type: ValueType): {readonly error: string} | undefined {
  if (type === undefined || type === 'string') return undefined
  return {error: `a ${name} transform cannot read a value of type ${type}`}
}

const CONVERTED: ReadonlyMap<string, ValueType> = new Map(
  Object.entries({
    string: 'string',
    bool: 'boolean',
    int: 'integer',
    int64: 'integer',
    float64: 'number',
    object: 'object',
    array: 'array',
  }),
)

function calculated(type: ValueType): {readonly type: ValueType} | {readonly error: string} {
  const isNumber = type === undefined || type === 'integer' || type === 'number'
  return isNumber ? {type} : {error: `a math transform cannot read a value of type ${type}`}
}

function converted(
  type: ValueType,
  {toType, format}: JsonObject,
): {readonly type: ValueType} | {readonly error: string} {
  const target = CONVERTED.get(asText(toType))
  const error = conversionError(type, target, asText(format))
  return error === undefined ? {type: target} : {error}
}

function conversionError(type: ValueType, target: ValueType, format: string): string | undefined {
  if (type === undefined) return undefined
  if (type === 'array' || type === 'object') return `a convert transform cannot read a value of type ${type}`
  if (format === 'quantity' && type === 'string' && target !== 'number')
    return 'a quantity can only be converted to float64'
  const isStructure = target === 'array' || target === 'object'
  return isStructure && !isJsonText(type, format)
    ? `a value of type ${type} cannot be converted to ${target}`
    : undefined
}

function isJsonText(type: ValueType, format: string): boolean {
  return type === 'string' && format === 'json'
}

function commonType(values: readonly JsonValue[]): ValueType {
  const types = new Set(values.map(value => typeof value))
  const [only] = types
  if (types.size !== 1) return undefined
  return only === 'string' || only === 'boolean' ? only : undefined
}

/** Returns why a value of a type can never be at a place of a schema. */
export function typeMismatch(
  type: ValueType,
  {path, schema}: {readonly path: string; readonly schema: Schema | undefined},
): string | undefined {
  if (type === undefined || schema === undefined) return undefined
  const isEither = schema[INT_OR_STRING] === true
  const target = isEither ? 'integer or string' : asText(schema.type)
  const accepted = isEither ? ['integer', 'string', 'number'] : ACCEPTED.get(target)
  if (accepted === undefined || accepted.includes(type)) return undefined
  return `a value of type ${type} is written to ${path}, which is of type ${target}`
}

/** A number can be whole. */
const ACCEPTED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    string: ['string'],
    boolean: ['boolean'],
    integer: ['integer', 'number'],
    number: ['integer', 'number'],
    object: ['object'],
    array: ['array'],
  }),
)

/** Returns the transforms of a patch. */
export function transformsOf({transforms}: JsonObject): readonly JsonObject[] {
  return asObjects(transforms)
}
