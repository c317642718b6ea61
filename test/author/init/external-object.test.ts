import {expect, it} from '@jest/globals'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {objectProblem} from '../../../src/author/init/service/external-object.js'

const CASES: readonly {readonly name: string; readonly in: JsonObject; readonly want: string | undefined}[] =
  [
    {name: 'fields and lists of names', in: {a: 1, $output: ['id'], $optional: ['a']}, want: undefined},
    {
      name: 'a misspelled list',
      in: {a: 1, $outputs: ['id']},
      want: '"$outputs" is neither "$output" nor "$optional"',
    },
    {name: 'a name in place of a list', in: {a: 1, $output: 'a'}, want: '"$output" must be a list of names'},
    {name: 'a list of numbers', in: {a: 1, $optional: [1]}, want: '"$optional" must be a list of names'},
    {
      name: 'an optional field that does not exist',
      in: {a: 1, $optional: ['b']},
      want: '"$optional" lists "b", which it does not contain',
    },
    {
      name: 'names that become equal',
      in: {a_b: 1, aB: 2},
      want: 'these names have no different forms in lowerCamelCase: "aB"',
    },
  ]

it.each(CASES)('reports the problem of $name', ({in: object, want}) => {
  expect(objectProblem(object)).toBe(want)
})
