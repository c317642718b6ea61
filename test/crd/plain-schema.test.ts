import {describe, expect, it} from '@jest/globals'
import {isPlain, MAX_PLAIN_LEVELS} from '../../src/crd/plain-schema.js'
import type {JsonObject} from '../../src/yaml/json-value.js'

const PLAIN_LEAF = {type: 'string', description: 'x'}
const OBJECT = {type: 'object', properties: {a: PLAIN_LEAF}}

function nested(levels: number): JsonObject {
  return levels === 1 ? PLAIN_LEAF : {type: 'array', items: nested(levels - 1)}
}

describe('a plain schema', () => {
  it.each<[reason: string, schema: JsonObject]>([
    ['scalars', {type: 'boolean', description: 'x'}],
    ['formats that are as they were', {type: 'integer', format: 'int64'}],
    ['values', {type: 'number', enum: [1, 2]}],
    ['required fields', {...OBJECT, required: ['a']}],
    ['lists of maps', {type: 'array', items: {type: 'object', additionalProperties: OBJECT}}],
    ['levels', nested(MAX_PLAIN_LEVELS)],
  ])('has %s', (_, schema) => {
    expect(isPlain(schema)).toBe(true)
  })

  const below: readonly [reason: string, schema: JsonObject][] = [
    ['without a type', {description: 'x'}],
    ['of an unknown type', {type: 'date'}],
    ['with another keyword', {type: 'string', default: 'x'}],
    ['with a format that becomes valid', {type: 'integer', format: 'int32'}],
    ['with a format of another type', {type: 'string', format: 'int64'}],
    ['with a field that is only required', {...OBJECT, required: ['b']}],
    ['that counts whole objects', {...OBJECT, enum: [{}]}],
    ['without fields', {type: 'object'}],
    ['with no field', {type: 'object', properties: {}}],
    ['with fields that is a map, too', {...OBJECT, additionalProperties: PLAIN_LEAF}],
    ['that is a map of anything', {type: 'object', additionalProperties: true}],
    ['that is a list of anything', {type: 'array'}],
    ['that is a list of several schemas', {type: 'array', items: [PLAIN_LEAF]}],
    ['with items of its own', {type: 'string', items: PLAIN_LEAF}],
    ['on too many levels', nested(MAX_PLAIN_LEVELS + 1)],
  ]

  it.each(below)('is not one %s', (_, schema) => {
    expect(isPlain(schema)).toBe(false)
  })

  it.each(below)('has no part %s', (_, schema) => {
    const around = {type: 'object', properties: {a: PLAIN_LEAF, b: {type: 'array', items: schema}}}
    expect([isPlain(around), isPlain(around.properties.a), isPlain(schema)]).toEqual([false, true, false])
  })
})
