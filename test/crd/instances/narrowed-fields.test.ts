import {describe, expect, it} from '@jest/globals'
import {narrowedFields} from '../../../src/crd/instances/narrowed-fields.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const text = {type: 'string'}
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{type: 'object', properties},
  ...more,
})
const KEEPS_ANY = {'x-kubernetes-preserve-unknown-fields': true}
const KEEPING = {type: 'object', ...KEEPS_ANY}
const LIST = {type: 'array', items: object({a: text, b: text})}
const CASES: readonly {name: string; before: JsonObject; after: JsonObject; want: readonly string[]}[] = [
  {name: 'nothing', before: object({a: text}), after: object({a: text}), want: []},
  {name: 'a new field', before: object({a: text}), after: object({a: text, b: text}), want: []},
  {name: 'a new description', before: text, after: {...text, description: 'A'}, want: []},
  {name: 'a field that is gone', before: object({a: text}), after: object({}), want: ['a pruned']},
  {
    name: 'a field that is gone where unknown ones are kept',
    before: object({a: text}),
    after: object({}, {'x-kubernetes-preserve-unknown-fields': true}),
    want: [],
  },
  {
    name: 'unknown fields that are no longer kept',
    before: object({s: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}),
    after: object({s: {type: 'object'}}),
    want: ['s pruned'],
  },
  {
    name: 'another type',
    before: object({a: text}),
    after: object({a: {type: 'array'}}),
    want: ['a rejected'],
  },
  {name: 'a wider type', before: {type: 'integer'}, after: {type: 'number'}, want: []},
  {name: 'a narrower type', before: {type: 'number'}, after: {type: 'integer'}, want: [' rejected']},
  {
    name: 'an integer in place of an integer or a text',
    before: {'x-kubernetes-int-or-string': true},
    after: {type: 'integer'},
    want: [' rejected'],
  },
  {
    name: 'a required field',
    before: object({s: object({a: text})}),
    after: object({s: object({a: text}, {required: ['a']})}),
    want: ['s rejected'],
  },
  {name: 'fewer values', before: {enum: ['a', 'b']}, after: {enum: ['a']}, want: [' rejected']},
  {name: 'more values', before: {enum: ['a']}, after: {enum: ['a', 'b']}, want: []},
  {name: 'a list of values', before: text, after: {...text, enum: ['a']}, want: [' rejected']},
  {name: 'a higher minimum', before: {minimum: 1}, after: {minimum: 2}, want: [' rejected']},
  {name: 'a lower minimum', before: {minimum: 2}, after: {minimum: 1}, want: []},
  {name: 'a new maximum', before: text, after: {...text, maxLength: 5}, want: [' rejected']},
  {name: 'a higher maximum', before: {maxItems: 5}, after: {maxItems: 6}, want: []},
  {name: 'a pattern', before: text, after: {...text, pattern: '^a'}, want: [' rejected']},
  {name: 'no pattern any more', before: {...text, pattern: '^a'}, after: text, want: []},
  {
    name: 'a rule in CEL',
    before: object({}),
    after: object({}, {'x-kubernetes-validations': [{rule: 'true'}]}),
    want: [' rejected'],
  },
  {name: 'null', before: {...text, nullable: true}, after: text, want: [' rejected']},
  {
    name: 'parts of lists and maps',
    before: object({a: {type: 'array', items: text}, m: {type: 'object', additionalProperties: text}}),
    after: object({
      a: {type: 'array', items: {...text, minLength: 1}},
      m: {type: 'object', additionalProperties: {...text, maxLength: 1}},
    }),
    want: ['a[] rejected', 'm.* rejected'],
  },
  {
    name: 'null for a field that becomes an unknown one',
    before: object({a: {...text, nullable: true}}),
    after: object({}, KEEPS_ANY),
    want: [],
  },
  {
    name: 'a type for a field that was unknown and kept',
    before: object({s: KEEPING}),
    after: object({s: {...KEEPING, properties: {a: {type: 'integer'}, b: KEEPS_ANY}}}),
    want: ['s.a rejected'],
  },
  {
    name: 'a type for all fields that were unknown and kept',
    before: object({s: KEEPING}),
    after: object({s: {type: 'object', additionalProperties: text}}),
    want: ['s.* rejected'],
  },
  {
    name: 'a field of a map that gets a schema of its own',
    before: {type: 'object', additionalProperties: text},
    after: object({a: {...text, maxLength: 3}}, {additionalProperties: text}),
    want: ['a rejected'],
  },
  {
    name: 'a named field that becomes one of a map',
    before: object({a: {type: 'integer'}, b: text}),
    after: {type: 'object', additionalProperties: text},
    want: ['a rejected'],
  },
  {
    name: 'a list that becomes a set, and one that becomes a map',
    before: object({s: LIST, m: LIST, same: {...LIST, 'x-kubernetes-list-type': 'set'}}),
    after: object({
      s: {...LIST, 'x-kubernetes-list-type': 'set'},
      m: {...LIST, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a']},
      same: {...LIST, 'x-kubernetes-list-type': 'set'},
    }),
    want: ['s rejected', 'm rejected'],
  },
  {
    name: 'a map with fewer keys',
    before: {...LIST, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b']},
    after: {...LIST, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a']},
    want: [' rejected'],
  },
  {
    name: 'a set that becomes a list',
    before: {...LIST, 'x-kubernetes-list-type': 'set'},
    after: {...LIST, 'x-kubernetes-list-type': 'atomic'},
    want: [],
  },
  {
    name: 'an object that has to be one of Kubernetes',
    before: KEEPING,
    after: {...KEEPING, 'x-kubernetes-embedded-resource': true},
    want: [' rejected'],
  },
]

describe('narrowedFields', () => {
  it.each(CASES)('compares $name', ({before, after, want}) => {
    expect(narrowedFields(before, after).map(({path, kind}) => `${path} ${kind}`)).toEqual(want)
  })
})
