import {asObject, type FieldPath, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {at, withAt} from '../crd/instances/values.js'

const TEXT = {type: 'string'}
const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const RULES = 'x-kubernetes-validations'
const LIST_TYPE = 'x-kubernetes-list-type'
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{type: 'object', properties},
  ...more,
})

/** The spec of a kind that has every keyword. */
export const SPEC = object({
  name: {...TEXT, maxLength: 8},
  size: {type: 'integer', minimum: 1, maximum: 100},
  share: {type: 'number'},
  isOn: {type: 'boolean'},
  mode: {...TEXT, enum: ['a', 'b', 'c']},
  code: {...TEXT, pattern: '^[a-z]+$'},
  when: {...TEXT, format: 'date-time'},
  level: {type: 'integer', default: 3},
  note: {...TEXT, nullable: true},
  port: {'x-kubernetes-int-or-string': true},
  list: {type: 'array', items: object({id: TEXT, value: {type: 'integer'}}), maxItems: 3},
  words: {type: 'array', items: TEXT},
  tags: {type: 'object', additionalProperties: TEXT},
  nested: object({a: TEXT, b: object({c: TEXT, d: {...TEXT, default: 'x'}})}),
  any: {type: 'object', [PRESERVE]: true},
  resource: {type: 'object', [PRESERVE]: true, 'x-kubernetes-embedded-resource': true},
  pick: object({x: TEXT, y: TEXT, z: TEXT}),
})

const FULL: JsonObject = {
  name: 'abc',
  size: 5,
  share: 0.5,
  isOn: true,
  mode: 'a',
  code: 'abc',
  when: '2020-01-01T00:00:00Z',
  note: null,
  port: 80,
  list: [
    {id: 'one', value: 1},
    {id: 'one', value: 2},
  ],
  words: ['x', 'x'],
  tags: {key: 'value'},
  nested: {a: 'x', b: {c: 'y'}},
  any: {z: {y: 1}},
  resource: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}, data: {x: 'y'}},
  pick: {x: '', y: ''},
}

/** Specs of objects, which the former schema accepts or rejects. */
export const SPECS: Readonly<Record<string, JsonObject>> = {
  full: FULL,
  empty: {},
  some: {size: 50, mode: 'c', code: 'zz', port: 'http', list: [], tags: {}, nested: {}, note: 'text'},
  odd: {...FULL, unheard: 1, size: 500, mode: 'z', nested: {a: 5, e: {}}},
}

const field = (name: string, value: JsonValue | undefined) => (spec: JsonObject) => ({
  ...spec,
  properties: Object.fromEntries(
    Object.entries({...asObject(spec.properties), [name]: value}).filter(([, part]) => part !== undefined),
  ) as JsonObject,
})
const inField = (path: FieldPath, more: JsonObject) => (spec: JsonObject) =>
  asObject(withAt(spec, path, {...asObject(at(spec, path)), ...more}))
const property = (...names: readonly string[]) => names.flatMap(name => ['properties', name])

/** Changes of the spec, at least one of each keyword. */
export const MUTATIONS: Readonly<Record<string, (spec: JsonObject) => JsonObject>> = {
  nothing: spec => spec,
  'a field is removed': field('name', undefined),
  'an object is removed': field('nested', undefined),
  'a nested field is removed': inField(property('nested', 'b'), {properties: {d: TEXT}}),
  'a field of items is removed': inField([...property('list'), 'items'], {properties: {id: TEXT}}),
  'boolean to string': field('isOn', TEXT),
  'string to boolean': field('name', {type: 'boolean'}),
  'integer to string': field('size', TEXT),
  'integer to number': field('size', {type: 'number'}),
  'number to integer': field('share', {type: 'integer'}),
  'integer to integer or string': field('size', {'x-kubernetes-int-or-string': true}),
  'integer or string to string': field('port', TEXT),
  'list to object': field('list', object({id: TEXT, value: {type: 'integer'}})),
  'object to list': field('nested', {type: 'array', items: object({a: TEXT})}),
  'map to object': field('tags', object({other: TEXT})),
  'map of other values': field('tags', {type: 'object', additionalProperties: {type: 'integer'}}),
  'list of other items': field('words', {type: 'array', items: {type: 'integer'}}),
  'default of another type': field('level', TEXT),
  'default is removed': field('level', {type: 'integer'}),
  'default is changed': field('level', {type: 'integer', default: 4}),
  'default is added': inField(property('name'), {default: 'abc'}),
  'default is added within': inField(property('nested', 'a'), {default: 'q'}),
  'default of a field that is removed': field('level', undefined),
  'a field is required': spec => ({...spec, required: ['name']}),
  'a field with a default is required': spec => ({...spec, required: ['level']}),
  'a field of items is required': inField([...property('list'), 'items'], {required: ['id', 'more']}),
  'enum is narrowed': field('mode', {...TEXT, enum: ['b', 'c']}),
  'enum is added': field('code', {...TEXT, enum: ['zz']}),
  'enum is widened': field('mode', {...TEXT, enum: ['a', 'b', 'c', 'z']}),
  'pattern is changed': field('code', {...TEXT, pattern: '^(?:z|y)+$'}),
  'pattern is removed': field('code', TEXT),
  'minimum is raised': field('size', {type: 'integer', minimum: 10, maximum: 100}),
  'maximum is lowered': field('size', {type: 'integer', minimum: 1, maximum: 5, exclusiveMaximum: true}),
  'multipleOf is added': field('size', {type: 'integer', multipleOf: 10}),
  'maxLength is lowered': field('name', {...TEXT, maxLength: 2}),
  'minLength is added': field('name', {...TEXT, minLength: 4}),
  'maxItems is lowered': inField(property('list'), {maxItems: 1}),
  'minItems is added': inField(property('list'), {minItems: 1}),
  'maxProperties is added': inField(property('tags'), {maxProperties: 0}),
  'minProperties is added': inField(property('tags'), {minProperties: 1}),
  'format is added': field('name', {...TEXT, format: 'date'}),
  'int32 is added': field('size', {type: 'integer', format: 'int32'}),
  'null is rejected': field('note', TEXT),
  'null becomes a default': field('note', {...TEXT, default: 'none'}),
  'null is accepted': inField(property('name'), {nullable: true}),
  'items are a set': field('words', {type: 'array', items: TEXT, [LIST_TYPE]: 'set'}),
  'items are a map': inField(property('list'), {
    items: object({id: TEXT, value: {type: 'integer'}}, {required: ['id']}),
    [LIST_TYPE]: 'map',
    'x-kubernetes-list-map-keys': ['id'],
  }),
  'unknown fields are dropped': field('any', object({w: TEXT})),
  'unknown fields are kept': inField(property('nested'), {[PRESERVE]: true}),
  'resource becomes an object': field(
    'resource',
    object({data: {type: 'object', additionalProperties: TEXT}}),
  ),
  'resource drops unknown fields': field(
    'resource',
    object({w: TEXT}, {'x-kubernetes-embedded-resource': true}),
  ),
  'object becomes a resource': field('any', {
    ...{type: 'object', [PRESERVE]: true},
    'x-kubernetes-embedded-resource': true,
  }),
  'anyOf is added': inField(property('pick'), {anyOf: [{required: ['z']}, {required: ['x']}]}),
  'oneOf is added': inField(property('pick'), {oneOf: [{required: ['x']}, {required: ['y']}]}),
  'allOf is added': inField(property('pick'), {allOf: [{required: ['x']}, {required: ['z']}]}),
  'not is added': inField(property('pick'), {not: {required: ['x']}}),
  'a rule is added': inField(property('size'), {[RULES]: [{rule: 'self > 5', message: 'Too small'}]}),
  'a rule of an object is added': inField(property('pick'), {
    [RULES]: [{rule: '!has(self.x) || has(self.z)'}],
  }),
  'immutability is added': inField(property('size'), {[RULES]: [{rule: 'self == oldSelf'}]}),
}
