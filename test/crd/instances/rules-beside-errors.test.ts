import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {checkObject} from '../../../src/crd/instances/check-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    code: {type: 'string', pattern: '^z$', maxLength: 3},
    list: {type: 'array', items: {type: 'string'}, 'x-kubernetes-list-type': 'set'},
    size: {type: 'integer', minimum: 2, 'x-kubernetes-validations': [{rule: 'self > 5'}]},
  },
}

describe('rules in CEL', () => {
  it.each([
    {name: 'a pattern', in: {code: 'a', size: 3}, want: ['pattern code', 'x-kubernetes-validations size']},
    {name: 'a limit', in: {size: 1}, want: ['minimum size', 'x-kubernetes-validations size']},
    {
      name: 'an item that occurs twice',
      in: {list: ['a', 'a'], size: 3},
      want: ['x-kubernetes-list-type list.1', 'x-kubernetes-validations size'],
    },
  ])('are evaluated beside $name, as a server does', ({in: object, want}) => {
    expect(errorsOf(object)).toEqual(want)
  })

  it.each([
    {name: 'a type', in: {list: 3, size: 3}, want: ['type list']},
    {name: 'a length', in: {code: 'zzzz', size: 3}, want: ['maxLength code', 'pattern code']},
  ])('are not evaluated beside $name', ({in: object, want}) => {
    expect(errorsOf(object)).toEqual(want)
  })
})

function errorsOf(object: object): readonly string[] {
  return checkObject(object as JsonObject, SCHEMA, {rules: schemaRules()})
    .map(({keyword, place}) => `${keyword} ${place.join('.')}`)
    .sort()
}
