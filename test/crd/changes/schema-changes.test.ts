import {describe, expect, it} from '@jest/globals'
import {schemaChanges} from '../../../src/crd/changes/schema-changes.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'

const text = {type: 'string'}
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...{type: 'object', properties},
  ...more,
})
const field = (schema: JsonObject): JsonObject => object({spec: object({a: schema})})
const rules = (...all: readonly string[]) => ({'x-kubernetes-validations': all.map(rule => ({rule}))})
const EITHER = {'x-kubernetes-int-or-string': true}
const KEEPS = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}
const LIST = {type: 'array', items: text}
const typed = (type: string, ...keys: readonly string[]): JsonObject => ({
  ...{...LIST, 'x-kubernetes-list-type': type},
  ...(keys.length === 0 ? {} : {'x-kubernetes-list-map-keys': keys}),
})

/** Each keyword of a schema, at `spec.a`: what it was, what it is, and the changes. */
const KEYWORDS: readonly (readonly [string, JsonObject, JsonObject, readonly string[]])[] = [
  ['a description', text, {...text, description: 'A', title: 'B', example: 1}, []],
  ['another order', object({a: text, b: text}), object({b: text, a: text}), []],
  ['type', text, {type: 'boolean'}, ['rejected type-changed string > boolean']],
  ['type, a list for an object', object({b: text}), LIST, ['rejected type-changed object > array']],
  ['type, wider', {type: 'integer'}, {type: 'number'}, ['none type-widened integer > number']],
  ['type, none', text, {}, ['none type-widened string > ']],
  ['int-or-string', text, EITHER, ['none type-widened string > integer or string']],
  [
    'int-or-string with the usual notation',
    {type: 'integer'},
    {...EITHER, anyOf: [{type: 'integer'}, {type: 'string'}]},
    ['none type-widened integer > integer or string'],
  ],
  ['int-or-string, no more', EITHER, text, ['rejected type-changed integer or string > string']],
  ['nullable', text, {...text, nullable: true}, ['none null-accepted']],
  ['nullable, no more', {...text, nullable: true}, text, ['rejected null-rejected']],
  ['default', text, {...text, default: 'b'}, ['changed default-added > b']],
  ['default, another', {default: 1}, {default: 2}, ['changed default-changed 1 > 2']],
  ['default, no more', {...text, default: 'b'}, text, ['changed default-removed b']],
  ['enum', text, {...text, enum: ['b']}, ['rejected enum-narrowed > ["b"]']],
  [
    'enum, other values',
    {enum: ['b', 'c']},
    {enum: ['c', 'd']},
    ['rejected enum-narrowed ["b"]', 'none enum-widened > ["d"]'],
  ],
  ['enum, another order', {enum: ['b', 'c']}, {enum: ['c', 'b']}, []],
  ['enum, no more', {...text, enum: ['b']}, text, ['none enum-widened ["b"]']],
  ['minimum', {minimum: 1}, {minimum: 2}, ['rejected limit-narrowed {"minimum":1} > {"minimum":2}']],
  ['minItems, less', {minItems: 2}, {minItems: 1}, ['none limit-widened {"minItems":2} > {"minItems":1}']],
  ['minLength of nothing', text, {...text, minLength: 0}, []],
  ['a map type that is the default', {}, {'x-kubernetes-map-type': 'granular'}, []],
  [
    'an embedded object that is none any more',
    {type: 'object', 'x-kubernetes-embedded-resource': true},
    {type: 'object'},
    ['dropped condition-removed x-kubernetes-embedded-resource'],
  ],
  [
    'a rule that also applies to new objects',
    text,
    {
      ...text,
      'x-kubernetes-validations': [{rule: "oldSelf.hasValue() || self != 'x'", optionalOldSelf: true}],
    },
    ["rejected rule-added > oldSelf.hasValue() || self != 'x'"],
  ],
  ['minLength', text, {...text, minLength: 1}, ['rejected limit-narrowed > {"minLength":1}']],
  ['minProperties, no more', {minProperties: 1}, {}, ['none limit-widened {"minProperties":1}']],
  ['maximum', {maximum: 2}, {maximum: 1}, ['rejected limit-narrowed {"maximum":2} > {"maximum":1}']],
  ['maxItems, more', {maxItems: 1}, {maxItems: 2}, ['none limit-widened {"maxItems":1} > {"maxItems":2}']],
  ['maxLength', text, {...text, maxLength: 9}, ['rejected limit-narrowed > {"maxLength":9}']],
  ['maxProperties, no more', {maxProperties: 1}, {}, ['none limit-widened {"maxProperties":1}']],
  [
    'a large limit',
    {maximum: 2n ** 53n},
    {maximum: 9},
    ['rejected limit-narrowed {"maximum":9007199254740992} > {"maximum":9}'],
  ],
  ['exclusiveMinimum', {}, {exclusiveMinimum: true}, ['rejected limit-narrowed > {"exclusiveMinimum":true}']],
  ['exclusiveMaximum, false', {}, {exclusiveMaximum: false}, []],
  ['uniqueItems, no more', {uniqueItems: true}, {}, ['none limit-widened {"uniqueItems":true}']],
  [
    'multipleOf',
    {multipleOf: 4},
    {multipleOf: 2},
    ['none limit-widened {"multipleOf":4} > {"multipleOf":2}'],
  ],
  [
    'multipleOf, other',
    {multipleOf: 4},
    {multipleOf: 3},
    ['rejected limit-narrowed {"multipleOf":4} > {"multipleOf":3}'],
  ],
  ['pattern', text, {...text, pattern: '^b'}, ['rejected pattern-changed > ^b']],
  ['pattern, another', {pattern: '^b'}, {pattern: '^c'}, ['rejected pattern-changed ^b > ^c']],
  ['pattern, no more', {...text, pattern: '^b'}, text, ['none pattern-removed ^b']],
  ['format', text, {...text, format: 'date'}, ['rejected format-changed > date']],
  [
    'format of a number',
    {type: 'integer', format: 'int64'},
    {type: 'integer', format: 'int32'},
    ['none format-changed int64 > int32'],
  ],
  ['oneOf', text, {...text, oneOf: [{minLength: 1}]}, ['rejected condition-changed > oneOf']],
  ['allOf, no more', {allOf: [{minLength: 1}]}, {}, ['none condition-removed allOf']],
  ['not', text, {...text, not: {enum: ['b']}}, ['rejected condition-changed > not']],
  [
    'a resource',
    KEEPS,
    {...KEEPS, 'x-kubernetes-embedded-resource': true},
    ['rejected condition-changed > x-kubernetes-embedded-resource'],
  ],
  ['a rule', text, {...text, ...rules('self != ""')}, ['rejected rule-added > self != ""']],
  [
    'another message of a rule',
    {...rules('true')},
    {'x-kubernetes-validations': [{rule: 'true', message: 'b'}]},
    [],
  ],
  [
    'a rule, no more',
    {...text, ...rules('true', 'self != ""')},
    {...text, ...rules('true')},
    ['none rule-removed self != ""'],
  ],
  ['immutability', text, {...text, ...rules('self ==  oldSelf')}, ['frozen immutable > self ==  oldSelf']],
  [
    'a rule for updates',
    text,
    {...text, ...rules('self >= oldSelf')},
    ['frozen rule-added > self >= oldSelf'],
  ],
  ['a list type', LIST, typed('set'), ['rejected list-type-changed atomic > set']],
  [
    'list map keys',
    typed('map', 'b'),
    typed('map', 'b', 'c'),
    ['rejected list-type-changed map by b > map by b, c'],
  ],
  ['a list type, no more', typed('set'), LIST, ['changed list-type-changed set > atomic']],
  ['a map type', object({}), object({}, {'x-kubernetes-map-type': 'atomic'}), ['changed list-type-changed']],
  ['unknown fields', object({}), KEEPS, ['none unknown-fields-kept']],
  ['unknown fields, no more', KEEPS, object({}), ['dropped unknown-fields-dropped']],
]

const worded = (value: JsonValue | undefined) =>
  value === undefined || typeof value === 'string'
    ? value
    : JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))

function changesOf(before: JsonObject, after: JsonObject) {
  return schemaChanges(before, after).map(({path, effect, rule, ...values}) => ({
    path,
    text: [
      ...[effect, rule],
      ...(values.before === undefined ? [] : [worded(values.before)]),
      ...(values.after === undefined ? [] : ['>', worded(values.after)]),
    ].join(' '),
  }))
}

describe('schemaChanges', () => {
  it.each(KEYWORDS)('compares %s', (_name, before, after, want) => {
    expect(changesOf(field(before), field(after))).toEqual(want.map(text => ({path: 'spec.a', text})))
  })

  it.each<{name: string; before: JsonObject; after: JsonObject; want: readonly string[]}>([
    {
      name: 'unknown fields, of which those of objects are dropped',
      before: object({a: KEEPS}),
      after: object({a: {type: 'object', additionalProperties: true}}),
      want: ['a.*: dropped unknown-fields-dropped'],
    },
    {
      name: 'a default of a field that stays required',
      before: object({b: {...text, default: 'c'}}, {required: ['b']}),
      after: object({b: text}, {required: ['b']}),
      want: ['b: changed default-removed c', ': rejected required-added > b'],
    },
    {
      name: 'fields that every object has',
      before: object({apiVersion: text, kind: text, metadata: object({})}),
      after: object({}, {required: ['metadata']}),
      want: [],
    },
    {
      name: 'fields that come and go, but not their parts',
      before: object({a: object({b: text}), c: text}),
      after: object({c: text, d: object({e: text})}),
      want: ['a: dropped field-removed object', 'd: none field-added > object'],
    },
    {
      name: 'a field that is gone where unknown ones are kept',
      before: object({a: object({b: text})}),
      after: KEEPS,
      want: [': none unknown-fields-kept', 'a: none type-widened object > '],
    },
    {
      name: 'a field that gets a schema where unknown ones were kept',
      before: KEEPS,
      after: object({a: text}, {'x-kubernetes-preserve-unknown-fields': true}),
      want: ['a: rejected type-changed  > string'],
    },
    {
      name: 'required fields, of which one has a default',
      before: object({a: text, b: text, c: text}, {required: ['c']}),
      after: object({a: text, b: {...text, default: 'x'}, c: text}, {required: ['a', 'b']}),
      want: [
        'b: changed default-added > x',
        ': rejected required-added > a',
        ': none required-added > b',
        ': none required-removed c',
      ],
    },
    {
      name: 'parts of lists and maps',
      before: object({l: LIST, m: {type: 'object', additionalProperties: text}}),
      after: object({
        l: {type: 'array', items: {type: 'integer'}},
        m: {type: 'object', additionalProperties: {...text, maxLength: 1}},
      }),
      want: ['l[]: rejected type-changed string > integer', 'm.*: rejected limit-narrowed > {"maxLength":1}'],
    },
    {
      name: 'a type, without the parts of the former one',
      before: object({a: object({b: text, c: text})}),
      after: object({a: text}),
      want: ['a: rejected type-changed object > string'],
    },
    {
      name: 'a map that becomes fields',
      before: object({a: {type: 'object', additionalProperties: text}}),
      after: object({a: object({b: text})}),
      want: ['a: dropped unknown-fields-dropped'],
    },
  ])('compares $name', ({before, after, want}) => {
    expect(changesOf(before, after).map(({path, text: words}) => `${path}: ${words}`)).toEqual(want)
  })

  it('reports a part that is nested too deeply as not read', () => {
    const nested = (levels: number, leaf: JsonObject): JsonObject =>
      levels === 0 ? leaf : {type: 'array', items: nested(levels - 1, leaf)}
    const changes = schemaChanges(nested(200, text), nested(200, {type: 'integer'}))
    expect(changes).toEqual([{path: '[]'.repeat(101), rule: 'unread', effect: 'rejected'}])
  })
})
