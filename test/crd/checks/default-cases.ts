import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'
import {v1Crd} from '../convert/v1beta1-crd.js'

/** A CRD whose field `a` has a default, and the paths at which a server rejects it. */
interface DefaultCase {
  readonly name: string
  readonly reason: string
  readonly in: KubernetesObject
  readonly want: readonly string[]
}

const SCHEMA = 'spec.validation.openAPIV3Schema'
const A = `${SCHEMA}.properties[a].default`
const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const text = {type: 'string'}
const ofA = (a: JsonObject) => v1Crd({type: 'object', properties: {a}})
const withDefault = (schema: JsonObject, value: JsonValue) => ofA({...schema, default: value})
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const resource = {type: 'object', 'x-kubernetes-embedded-resource': true, [PRESERVE]: true}

/** One case for each thing that is judged of a default, and for what is not held against one. */
export const DEFAULT_CASES: readonly DefaultCase[] = [
  {name: 'a text', reason: 'the type matches', in: withDefault(text, 'x'), want: []},
  {name: 'null', reason: 'Go decodes it as no default', in: withDefault(text, null), want: []},
  {name: 'a number for a text', reason: 'it is of another type', in: withDefault(text, 5), want: [A]},
  {
    name: 'a text for a number',
    reason: 'it is of another type',
    in: withDefault({type: 'number'}, '5'),
    want: [A],
  },
  {name: 'a whole number', reason: 'it is a number too', in: withDefault({type: 'number'}, 5), want: []},
  {
    name: 'a fraction',
    reason: 'it is not a whole number',
    in: withDefault({type: 'integer'}, 1.5),
    want: [A],
  },
  {name: 'a big integer', reason: 'it is whole', in: withDefault({type: 'integer'}, 2n ** 60n), want: []},
  {
    name: 'a list for an object',
    reason: 'it is of another type',
    in: withDefault(object({b: text}), []),
    want: [A],
  },
  {
    name: 'either a number or a text',
    reason: 'both types are accepted',
    in: v1Crd(
      object({
        a: {'x-kubernetes-int-or-string': true, default: 5},
        b: {'x-kubernetes-int-or-string': true, default: '5'},
      }),
    ),
    want: [],
  },
  {
    name: 'a word of the enum',
    reason: 'it is one',
    in: withDefault({...text, enum: ['x', 'y']}, 'y'),
    want: [],
  },
  {name: 'another word', reason: 'it is not', in: withDefault({...text, enum: ['x', 'y']}, 'z'), want: [A]},
  {name: 'below', reason: 'the least is 3', in: withDefault({type: 'integer', minimum: 3}, 2), want: [A]},
  {name: 'above', reason: 'the most is 3', in: withDefault({type: 'number', maximum: 3}, 3.5), want: [A]},
  {
    name: 'the bounds themselves',
    reason: 'the bounds are inside',
    in: withDefault({type: 'integer', minimum: 3, maximum: 3}, 3),
    want: [],
  },
  {
    name: 'exclusive bounds',
    reason: 'the bounds are outside',
    in: v1Crd(
      object({
        a: {type: 'integer', minimum: 3, exclusiveMinimum: true, default: 3},
        b: {type: 'integer', maximum: 3, exclusiveMaximum: true, default: 3},
      }),
    ),
    want: [A, A.replace('[a]', '[b]')],
  },
  {
    name: 'a number that is not a multiple',
    reason: '7 is not a multiple of 5',
    in: withDefault({type: 'integer', multipleOf: 5}, 7),
    want: [A],
  },
  {name: 'a short text', reason: 'the least is 3', in: withDefault({...text, minLength: 3}, 'ab'), want: [A]},
  {
    name: 'a text of signs beyond 16 bits',
    reason: 'each is one character',
    in: withDefault({...text, maxLength: 2}, '\u{1f600}\u{1f600}'),
    want: [],
  },
  {
    name: 'a pattern',
    reason: 'the text does not match',
    in: withDefault({...text, pattern: '^[a-z]+$'}, 'A'),
    want: [A],
  },
  {
    name: 'a text that matches the pattern',
    reason: 'it is',
    in: withDefault({...text, pattern: '^[a-z]+$'}, 'a'),
    want: [],
  },
  {
    name: 'too many items',
    reason: 'the most is 1',
    in: withDefault({type: 'array', items: text, maxItems: 1}, ['x', 'y']),
    want: [A],
  },
  {
    name: 'an item of another type',
    reason: 'items are checked against their schema',
    in: withDefault({type: 'array', items: text}, ['x', 5]),
    want: [`${A}.[1]`],
  },
  {
    name: 'a field of another type, in an object in a list',
    reason: 'nested values are checked, too',
    in: withDefault({type: 'array', items: object({b: text})}, [{b: 5}]),
    want: [`${A}.[0].b`],
  },
  {
    name: 'a list within an object',
    reason: 'nested values are checked, too',
    in: withDefault(object({b: {type: 'array', items: text}}), {b: [5]}),
    want: [`${A}.b[0]`],
  },
  {
    name: 'a map',
    reason: 'its entries are checked against their schema',
    in: withDefault({type: 'object', additionalProperties: text}, {x: 'x', y: 5}),
    want: [`${A}.y`],
  },
  {
    name: 'no fields',
    reason: 'the least is 1',
    in: withDefault({type: 'object', additionalProperties: text, minProperties: 1}, {}),
    want: [A],
  },
  {
    name: 'a field that is required',
    reason: 'it is missing',
    in: withDefault(object({b: text}, {required: ['b']}), {}),
    want: [`${A}.b`],
  },
  {
    name: 'a field that is required, further down',
    reason: 'it is missing',
    in: withDefault(object({b: object({c: text}, {required: ['c']})}), {b: {}}),
    want: [`${A}.b.c`],
  },
  {
    name: 'null in a field',
    reason: 'only nullable fields can be null',
    in: withDefault(object({b: text, c: {...text, nullable: true}}), {b: null, c: null}),
    want: [`${A}.b`],
  },
  {
    name: 'an unknown field',
    reason: 'it would be dropped',
    in: withDefault(object({b: text}), {b: 'x', c: 'y'}),
    want: [A],
  },
  {
    name: 'an unknown field, further down',
    reason: 'it would be dropped',
    in: withDefault({type: 'array', items: object({b: text})}, [{c: 'y'}]),
    want: [A],
  },
  {
    name: 'a payload',
    reason: 'all of it is kept',
    in: withDefault({type: 'object', [PRESERVE]: true}, {b: {c: [{d: 1}]}}),
    want: [],
  },
  {
    name: 'a payload with a field that is described',
    reason: 'its other fields would be dropped',
    in: withDefault(object({b: object({c: text})}, {[PRESERVE]: true}), {x: 1, b: {c: 'x', d: 1}}),
    want: [A],
  },
  {
    name: 'a default of a field of a list',
    reason: 'items have defaults too',
    in: ofA({type: 'array', items: object({b: {...text, default: 5}})}),
    want: [`${SCHEMA}.properties[a].items.properties[b].default`],
  },
  {
    name: 'a resource',
    reason: 'it has the required fields of a resource',
    in: withDefault(resource, {apiVersion: 'v1', kind: 'ConfigMap', data: {x: 'y'}}),
    want: [],
  },
  {
    name: 'a resource without its type',
    reason: 'nothing else of it is reported',
    in: withDefault({...resource, ...object({b: text})}, {b: 5}),
    want: [`${A}.apiVersion`, `${A}.kind`],
  },
  {
    name: 'a default of the whole',
    reason: 'it is a resource too',
    in: v1Crd(object({a: text}, {default: {a: 'x'}})),
    want: [`${SCHEMA}.default.apiVersion`, `${SCHEMA}.default.kind`],
  },
  {
    name: 'neither a number nor a text',
    reason: 'a server checks the two types of objects only',
    in: withDefault({'x-kubernetes-int-or-string': true}, true),
    want: [],
  },
  {
    name: 'more than 32 bits',
    reason: 'the format of an integer limits it',
    in: withDefault({type: 'integer', format: 'int32'}, 2 ** 31),
    want: [A],
  },
  {
    name: 'no alternative',
    reason: 'one of them must be satisfied',
    in: withDefault({...text, anyOf: [{maxLength: 1}, {minLength: 3}]}, 'xx'),
    want: [A],
  },
  {
    name: 'one of two alternatives',
    reason: 'one is enough',
    in: withDefault({...text, anyOf: [{maxLength: 2}, {minLength: 3}]}, 'xx'),
    want: [],
  },
  {
    name: 'both of two alternatives',
    reason: 'exactly one must be satisfied',
    in: withDefault({...text, oneOf: [{maxLength: 2}, {minLength: 1}]}, 'xx'),
    want: [A],
  },
  {
    name: 'an excluded value',
    reason: 'it satisfies what it must not',
    in: withDefault({...text, not: {maxLength: 2}}, 'xx'),
    want: [A],
  },
  {
    name: 'a missing field of a branch',
    reason: 'all branches must be satisfied',
    in: withDefault(object({b: text}, {allOf: [{required: ['b']}]}), {}),
    want: [`${A}.b`, A],
  },
]
