import {describe, expect, it} from '@jest/globals'
import {structuralSchema} from '../../src/init/json-schema.js'
import type {JsonObject} from 'kubectl-crossplane/plugin'

const OPEN = {'x-kubernetes-preserve-unknown-fields': true}

interface Case {
  readonly name: string
  readonly in: JsonObject
  readonly want: JsonObject
}

const CASES: readonly Case[] = [
  {
    name: 'text with its limits',
    in: {type: 'string', title: 'Region', pattern: '^eu-', minLength: 1, format: 'hostname'},
    want: {type: 'string', description: 'Region', pattern: '^eu-', minLength: 1},
  },
  {name: 'a type or null', in: {type: ['string', 'null']}, want: {type: 'string', nullable: true}},
  {
    name: 'a port as number or name',
    in: {type: ['integer', 'string']},
    want: {'x-kubernetes-int-or-string': true},
  },
  {name: 'a choice of other types', in: {type: ['boolean', 'object']}, want: OPEN},
  {name: 'no type', in: {description: 'Anything'}, want: {description: 'Anything', ...OPEN}},
  {name: 'values of one type', in: {enum: ['a', 'b']}, want: {type: 'string', enum: ['a', 'b']}},
  {name: 'a constant', in: {const: 3}, want: {type: 'integer', enum: [3]}},
  {
    name: 'exclusive bounds of draft 6 and of draft 4',
    in: {
      properties: {
        six: {type: 'integer', exclusiveMinimum: 0},
        four: {type: 'number', maximum: 1, exclusiveMaximum: true},
      },
    },
    want: {
      ...OPEN,
      properties: {
        six: {type: 'integer', minimum: 0, exclusiveMinimum: true},
        four: {type: 'number', maximum: 1, exclusiveMaximum: true},
      },
    },
  },
  {
    name: 'a map of texts',
    in: {type: 'object', additionalProperties: {type: 'string'}},
    want: {type: 'object', additionalProperties: {type: 'string'}},
  },
  {name: 'an object without fields', in: {type: 'object'}, want: {type: 'object', ...OPEN}},
  {
    name: 'a list without items',
    in: {type: 'array', maxItems: 2},
    want: {type: 'array', items: OPEN, maxItems: 2},
  },
  {
    name: 'required fields that are described',
    in: {type: 'object', required: ['a', 'b'], properties: {a: {type: 'string'}}},
    want: {type: 'object', required: ['a'], properties: {a: {type: 'string'}}, ...OPEN},
  },
  {
    name: 'fields that a value without a type has if it is an object',
    in: {required: ['a'], properties: {a: {type: 'string'}}},
    want: {required: ['a'], properties: {a: {type: 'string'}}, ...OPEN},
  },
  {
    name: 'an object without further fields',
    in: {type: 'object', additionalProperties: false, properties: {a: {type: 'string'}}},
    want: {type: 'object', properties: {a: {type: 'string'}}},
  },
  {
    name: 'an object with further fields by their names',
    in: {
      type: 'object',
      additionalProperties: {type: 'string'},
      patternProperties: {'^x-': {type: 'integer'}},
    },
    want: {type: 'object', ...OPEN},
  },
  {
    name: 'null beside a choice of texts',
    in: {type: ['string', 'null'], enum: ['a', null]},
    want: {type: 'string', nullable: true, allOf: [{enum: ['a']}]},
  },
  {
    name: 'items that differ by their place',
    in: {type: 'array', prefixItems: [{type: 'string'}], items: {type: 'integer'}},
    want: {type: 'array', items: OPEN},
  },
  {
    name: 'multiples of whole numbers only',
    in: {properties: {a: {type: 'number', multipleOf: 0.1}, b: {type: 'number', multipleOf: 2}}},
    want: {properties: {a: {type: 'number'}, b: {type: 'number', multipleOf: 2}}, ...OPEN},
  },
]

describe('jsonSchemaNode', () => {
  it.each(CASES)('$name', ({in: schema, want}) => {
    expect(structuralSchema(schema)).toEqual({schema: want, isCut: false})
  })

  it('resolves references within the file, also escaped ones', () => {
    const root = {
      definitions: {'a/b': {type: 'string', description: 'own'}},
      properties: {one: {$ref: '#/definitions/a~1b', description: 'at use'}},
    }
    expect(structuralSchema(root).schema).toEqual({
      ...OPEN,
      properties: {one: {type: 'string', description: 'at use'}},
    })
  })

  it('ends at references to themselves, and follows none to other files', () => {
    const root = {
      $defs: {node: {type: 'object', properties: {next: {$ref: '#/$defs/node'}}}},
      properties: {list: {$ref: '#/$defs/node'}, other: {$ref: 'https://example.org/schema.json'}},
    }
    expect(structuralSchema(root).schema).toEqual({
      ...OPEN,
      properties: {list: {type: 'object', properties: {next: OPEN}, ...OPEN}, other: OPEN},
    })
  })

  it('describes only a part of a schema whose references stand for more and more of it', () => {
    const parts = Array.from({length: 40}, (_, index) => {
      const $ref = `#/$defs/n${index + 1}`
      return [`n${index}`, {type: 'object', properties: {a: {$ref}, b: {$ref}}}] as const
    })
    const root = {$ref: '#/$defs/n0', $defs: {...Object.fromEntries(parts), n40: {type: 'string'}}}
    const {schema, isCut} = structuralSchema(root)
    expect(isCut).toBe(true)
    expect(JSON.stringify(schema).length).toBeLessThan(5_000_000)
  })
})
