import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {checkStrictly} from '../../../src/crd/instances/check-object.js'
import {formatPath, type JsonObject} from '../../../src/yaml/json-value.js'

const META = {apiVersion: 'sql.org/v1', kind: 'Db', metadata: {name: 'a'}}
const schemaOf = (value: JsonObject): JsonObject => ({type: 'object', properties: {a: value}})

/** The errors of a value, and the keywords that are not decided. */
function check(schema: JsonObject, a: JsonObject[string]) {
  const undecided: string[] = []
  const errors = checkStrictly({...META, a}, schemaOf(schema), {
    match: (pattern, text) => (pattern.includes('?') ? undefined : new RegExp(pattern).test(text)),
    undecided: (keyword, {place}) => undecided.push(`${formatPath(place)} ${keyword}`),
  })
  return {errors: errors.map(({keyword, place}) => `${formatPath(place)} ${keyword}`), undecided}
}

const text = {type: 'string'}
const object = (properties: JsonObject, more: JsonObject = {}) => ({type: 'object', properties, ...more})

describe('why a new object is rejected by a strict API server', () => {
  it.each<{
    name: string
    schema: JsonObject
    value: JsonObject[string]
    want?: string[]
    undecided?: string[]
  }>([
    {name: 'a valid value', schema: object({b: text}), value: {b: 'x'}},
    {
      name: 'a key of a list that has the name of a method',
      schema: {
        ...{type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['toString']},
        items: object({toString: text, b: text}),
      },
      value: [{toString: 'x'}, {b: 'x'}, {toString: 'x'}],
      want: ['a[2] x-kubernetes-list-type'],
    },
    {name: 'an unknown field', schema: object({b: text}), value: {c: 1}, want: ['a.c unknown']},
    {name: 'another type', schema: {type: 'boolean'}, value: 'true', want: ['a type']},
    {
      name: 'neither of two types',
      schema: {'x-kubernetes-int-or-string': true},
      value: true,
      want: ['a type'],
    },
    {
      name: 'a missing field',
      schema: object({b: text}, {required: ['b']}),
      value: {},
      want: ['a.b required'],
    },
    {
      name: 'a missing field with a default',
      schema: object({b: {...text, default: 'x'}}, {required: ['b']}),
      value: {},
    },
    {name: 'a pattern', schema: {...text, pattern: '^(a|b)$'}, value: 'c', want: ['a pattern']},
    {
      name: 'a pattern that is not judged',
      schema: {...text, pattern: 'a?'},
      value: 'c',
      undecided: ['a pattern'],
    },
    {
      name: 'a format that is not judged',
      schema: {...text, format: 'uri'},
      value: ':',
      undecided: ['a format'],
    },
    {
      name: 'more than 32 bits',
      schema: {type: 'integer', format: 'int32'},
      value: 2 ** 31,
      want: ['a format'],
    },
    {
      name: 'a branch of allOf',
      schema: {...text, allOf: [{maxLength: 1}, {minLength: 1}]},
      value: 'xy',
      want: ['a maxLength', 'a allOf'],
    },
    {
      name: 'no branch of anyOf',
      schema: object({b: text, c: text}, {anyOf: [{required: ['b']}, {required: ['c']}]}),
      value: {},
      want: ['a anyOf'],
    },
    {
      name: 'one branch of anyOf beside one that is not judged',
      schema: {...text, anyOf: [{pattern: 'a?'}, {maxLength: 1}]},
      value: 'x',
    },
    {
      name: 'a branch of anyOf that is not judged',
      schema: {...text, anyOf: [{pattern: 'a?'}, {maxLength: 1}]},
      value: 'xy',
      undecided: ['a anyOf'],
    },
    {
      name: 'two branches of oneOf',
      schema: object({b: text, c: text}, {oneOf: [{required: ['b']}, {required: ['c']}]}),
      value: {b: '', c: ''},
      want: ['a oneOf several'],
    },
    {name: 'what is excluded', schema: {...text, not: {enum: ['x']}}, value: 'x', want: ['a not']},
    {
      name: 'an item that occurs twice',
      schema: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
      value: ['x', 'x'],
      want: ['a[1] x-kubernetes-list-type'],
    },
    {
      name: 'a rule in CEL',
      schema: {...text, 'x-kubernetes-validations': [{rule: 'self != "x"'}]},
      value: 'x',
      undecided: ['a x-kubernetes-validations'],
    },
    {name: 'null that is dropped', schema: {...text, pattern: 'x'}, value: null},
  ])('$name', ({schema, value, want = [], undecided = []}) => {
    expect(check(schema, value)).toEqual({errors: want, undecided})
  })
})

it.each<{name: string; b: JsonObject; want: string[]}>([
  {name: 'what is excluded', b: {...text, not: {enum: ['x']}}, want: ['a.b not', 'a']},
  {
    name: 'several alternatives',
    b: {...text, oneOf: [{minLength: 1}, {maxLength: 1}]},
    want: ['a.b oneOf several', 'a'],
  },
  {
    name: 'none of them',
    b: {...text, oneOf: [{enum: ['y']}, {minLength: 2}]},
    want: ['a.b oneOf'],
  },
  {name: 'a pattern', b: {...text, pattern: 'y'}, want: ['a.b pattern', 'a']},
  {name: 'a value that is not in an enum', b: {...text, enum: ['y']}, want: ['a.b enum']},
])('a server evaluates rules in CEL beside $name, or not: $want', ({b, want}) => {
  const schema = schemaOf(object({b}, {'x-kubernetes-validations': [{rule: 'false'}]}))
  const errors = checkStrictly({...META, a: {b: 'x'}}, schema, {
    match: () => false,
    rules: schemaRules(),
  })
  const shown = ({keyword, place}: (typeof errors)[number]) =>
    keyword.startsWith('x-') ? formatPath(place) : `${formatPath(place)} ${keyword}`
  expect(errors.map(shown)).toEqual(want)
})

describe('a rule in CEL beside values that it sees with other types', () => {
  const [set, time] = [
    {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
    {type: 'string', format: 'date-time'},
  ]
  const fields = object({
    set,
    time,
    inner: object({set, name: text}),
    list: {type: 'array', items: object({time})},
  })
  const rules = schemaRules()

  /** Whether a value violates a rule. */
  function resultOf(rule: string): 'violated' | 'undecided' | 'satisfied' {
    const undecided: string[] = []
    const schema = schemaOf({...fields, 'x-kubernetes-validations': [{rule}]})
    const a = {set: ['x'], inner: {set: ['x'], name: 'n'}, list: [{time: '2020-01-01T00:00:00Z'}]}
    const errors = checkStrictly({...META, a}, schema, {rules, undecided: keyword => undecided.push(keyword)})
    return undecided.length > 0 ? 'undecided' : errors.length === 0 ? 'satisfied' : 'violated'
  }

  it.each([
    {rule: 'has(self.inner.name)', want: 'satisfied'},
    {rule: 'has(self.time)', want: 'violated'},
    {rule: '!has(self.set) || !has( self.inner . set )', want: 'violated'},
    {rule: 'self.inner.name == "n"', want: 'satisfied'},
    {rule: 'self.inner.name.size() > 1', want: 'violated'},
    {rule: 'has(self.inner.set) && self.inner.set == ["x"]', want: 'undecided'},
    {rule: 'self.inner.set.size() == 1', want: 'undecided'},
    {rule: 'has(self.inner) && self.inner != {}', want: 'undecided'},
    {rule: 'self.list.all(one, has(one.time))', want: 'undecided'},
    {rule: '[self].size() == 1', want: 'undecided'},
    {rule: 'self["set"].size() == 1', want: 'undecided'},
  ])('$rule: $want', ({rule, want}) => {
    expect(resultOf(rule)).toBe(want)
  })
})
