import {describe, expect, it} from '@jest/globals'
import {checkInstance} from '../../../src/crd/instances/check-instance.js'
import {uncheckedKeywords} from '../../../src/crd/instances/unchecked-rules.js'
import {formatPath, type JsonObject} from '../../../src/yaml/json-value.js'

const KEEP = 'x-kubernetes-preserve-unknown-fields'
const META = {apiVersion: 'sql.org/v1', kind: 'Db', metadata: {name: 'a', labels: {a: 'b'}}}
const TEXT = {type: 'string'}

const objectOf = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const check = (fields: JsonObject, spec: JsonObject) =>
  checkInstance({...META, spec: fields}, objectOf({spec}))

describe('fields that the API server drops', () => {
  it.each<{name: string; spec: JsonObject; in: JsonObject; want: readonly string[]}>([
    {name: 'a known field stays', spec: objectOf({a: TEXT}), in: {a: 'x'}, want: []},
    {
      name: 'an unknown field is dropped',
      spec: objectOf({a: TEXT}),
      in: {a: 'x', b: 1, c: {d: 1}},
      want: ['spec.b', 'spec.c'],
    },
    {
      name: 'unknown fields below lists and maps are dropped',
      spec: objectOf({
        l: {type: 'array', items: objectOf({a: TEXT})},
        m: {type: 'object', additionalProperties: objectOf({})},
      }),
      in: {l: [{a: 'x'}, {b: 1}], m: {k: {z: 1}}},
      want: ['spec.l[1].b', 'spec.m.k.z'],
    },
    {
      name: 'a map of anything has no known fields below its keys',
      spec: {type: 'object', additionalProperties: true},
      in: {k: {z: 1}, n: 1},
      want: ['spec.k.z'],
    },
    {
      name: 'an object that keeps unknown fields drops those of its known objects',
      spec: objectOf({a: objectOf({})}, {[KEEP]: true}),
      in: {a: {b: 1}, c: {d: 1}},
      want: ['spec.a.b'],
    },
    {
      name: 'a list that keeps unknown fields keeps those of its items',
      spec: objectOf({l: {type: 'array', [KEEP]: true, items: objectOf({a: objectOf({})})}}),
      in: {l: [{b: 1, a: {c: 1}}]},
      want: ['spec.l[0].a.c'],
    },
    {
      name: 'metadata of an embedded resource stays',
      spec: objectOf({a: TEXT}, {'x-kubernetes-embedded-resource': true}),
      in: {apiVersion: 'v1', kind: 'A', metadata: {name: 'a'}, spec: {}},
      want: ['spec.spec'],
    },
  ])('$name', ({spec, in: fields, want}) => {
    expect(check(fields, spec).pruned.map(formatPath)).toEqual(want)
  })

  it('are all fields but those of Kubernetes itself if there is no schema', () => {
    expect(checkInstance({...META, spec: {}, status: {}}, {type: 'object'}).pruned).toEqual([
      ['spec'],
      ['status'],
    ])
  })
})

describe('the errors of an instance', () => {
  it.each<{name: string; spec: JsonObject; in: JsonObject; want: readonly string[]}>([
    {
      name: 'a field of another type',
      spec: objectOf({a: TEXT}),
      in: {a: 1},
      want: ['spec.a: it must be of type string, not integer'],
    },
    {
      name: 'a required field',
      spec: objectOf({a: TEXT}, {required: ['a']}),
      in: {},
      want: ['spec.a: it is required'],
    },
    {
      name: 'no required field that has a default',
      spec: objectOf({a: {...TEXT, default: 'x'}}, {required: ['a']}),
      in: {},
      want: [],
    },
    {
      name: 'a default that is not of the enum of an item',
      spec: objectOf({l: {type: 'array', items: objectOf({a: {type: 'integer', default: 5, maximum: 3}})}}),
      in: {l: [{}, {a: 1}]},
      want: ['spec.l[0].a: it is above 3'],
    },
    {name: 'no null that the server drops', spec: objectOf({a: TEXT}), in: {a: null}, want: []},
    {
      name: 'a null that the server drops from a required field',
      spec: objectOf({a: TEXT}, {required: ['a']}),
      in: {a: null},
      want: ['spec.a: it is required'],
    },
    {
      name: 'no null where it is allowed',
      spec: objectOf({a: {...TEXT, nullable: true}}),
      in: {a: null},
      want: [],
    },
    {
      name: 'a null in a list',
      spec: objectOf({l: {type: 'array', items: TEXT}}),
      in: {l: [null]},
      want: ['spec.l[0]: it must be of type string, not null'],
    },
    {
      name: 'no null of a list whose items have a default',
      spec: objectOf({l: {type: 'array', items: {...TEXT, default: 'x'}}}),
      in: {l: [null]},
      want: [],
    },
  ])('include $name', ({spec, in: fields, want}) => {
    expect(check(fields, spec).rejected.map(({field, message}) => `${field}: ${message}`)).toEqual(want)
  })
})

describe('rules that are not checked', () => {
  const RULES = {'x-kubernetes-validations': [{rule: 'self.a != self.b'}]}

  it.each<{name: string; before: JsonObject; after: JsonObject; want: readonly string[]}>([
    {
      name: 'none that the schema had before',
      before: objectOf({}, RULES),
      after: objectOf({}, RULES),
      want: [],
    },
    {
      name: 'a rule in CEL and a format',
      before: objectOf({}),
      after: objectOf({t: {...TEXT, format: 'date-time'}}, RULES),
      want: ['format', 'x-kubernetes-validations'],
    },
    {name: 'no format of a number', before: {}, after: {type: 'integer', format: 'int32'}, want: []},
    {
      name: 'a pattern only if Go and JavaScript can differ',
      before: {},
      after: objectOf({a: {...TEXT, pattern: '^[a-z]+$'}}),
      want: [],
    },
    {
      name: 'a pattern with a group',
      before: {},
      after: objectOf({a: {...TEXT, pattern: '^(a|b)$'}}),
      want: ['pattern'],
    },
    {name: 'a junctor', before: {}, after: objectOf({}, {oneOf: [{required: ['a']}]}), want: ['oneOf']},
    {
      name: 'no junctor of an integer or string',
      before: {},
      after: {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
      want: [],
    },
    {
      name: 'the same rule in another place',
      before: objectOf({a: {type: 'object', ...RULES}}),
      after: objectOf({b: {type: 'object', ...RULES}}),
      want: ['x-kubernetes-validations'],
    },
  ])('include $name', ({before, after, want}) => {
    expect(uncheckedKeywords(after, before)).toEqual(want)
  })
})
