import {describe, expect, it} from '@jest/globals'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {schemaType} from '../../../src/author/init/service/runner/schema-type.js'

describe('the type of a schema', () => {
  it.each([
    {name: 'a text', in: {type: 'string'}, want: 'string'},
    {name: 'an integer', in: {type: 'integer'}, want: 'number'},
    {
      name: 'texts of an enum',
      in: {type: 'string', enum: ['a', "it's", '\\']},
      want: "'a' | 'it\\'s' | '\\\\'",
    },
    {name: 'numbers of an enum', in: {type: 'integer', enum: [1, 2]}, want: '1 | 2'},
    {name: 'null', in: {type: 'boolean', nullable: true}, want: 'boolean | null'},
    {name: 'an integer or text', in: {'x-kubernetes-int-or-string': true}, want: 'number | string'},
    {
      name: 'a list',
      in: {type: 'array', items: {type: 'string', enum: ['a', 'b']}},
      want: "readonly ('a' | 'b')[]",
    },
    {name: 'no type', in: {}, want: 'JsonValue'},
    {
      name: 'a map',
      in: {type: 'object', additionalProperties: {type: 'string'}},
      want: 'Readonly<Record<string, string>>',
    },
    {name: 'an object of unknown fields', in: {type: 'object'}, want: 'Readonly<Record<string, JsonValue>>'},
    {
      name: 'an object without fields',
      in: {type: 'object', properties: {}},
      want: 'Readonly<Record<string, never>>',
    },
  ])('is right for $name', ({in: schema, want}) => {
    expect(schemaType(schema as JsonObject)).toBe(want)
  })

  it('has the fields by name, and descriptions that cannot end their comments', () => {
    const inner = {type: 'object', properties: {'a-b': {type: 'string'}}}
    const properties = {b: {type: 'number', description: 'One */ two\nthree'}, a: inner}
    expect(schemaType({type: 'object', properties, required: ['b']})).toBe(`{
  readonly a?: {
    readonly 'a-b'?: string
  }
  /** One * / two three */
  readonly b: number
}`)
  })
})
