import {describe, expect, it} from '@jest/globals'
import {convertCrd, ownVersions} from '../../../src/crd/convert/convert-crd.js'
import {CrossplaneError} from '../../../src/errors.js'
import {
  asObject,
  type FieldPath,
  formatPath,
  type JsonObject,
  type JsonValue,
} from '../../../src/yaml/json-value.js'
import {v1beta1Crd, v1Crd} from './v1beta1-crd.js'

const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const INT_OR_STRING = 'x-kubernetes-int-or-string'
const ANYTHING = {nullable: true, [PRESERVE]: true}
const AT_A = ['spec', 'validation', 'openAPIV3Schema', 'properties', 'a']

/** What becomes of a field's schema, and the rules of the notes about it. */
function converted(a: JsonObject, spec: JsonObject = {}) {
  const {crd, notes} = convertCrd(v1beta1Crd({type: 'object', properties: {a}}, spec), {
    nonStructural: 'refuse',
  })
  const [version] = ownVersions(asObject(crd.spec))
  const {properties} = asObject(asObject(version?.schema).openAPIV3Schema)
  const rules = notes.filter(({path}) => path.includes('a')).map(({rule}) => rule)
  return {schema: asObject(properties).a, rules}
}

interface Case {
  readonly name: string
  readonly in: JsonObject
  readonly want: JsonValue
}

describe('a field of a v1beta1 schema', () => {
  it.each<Case & {readonly reason: string; readonly rules: readonly string[]}>([
    {
      name: 'stays as it is',
      reason: 'it is structural',
      in: {type: 'object', properties: {b: {type: 'string', enum: ['x']}}, required: ['b']},
      want: {type: 'object', properties: {b: {type: 'string', enum: ['x']}}, required: ['b']},
      rules: [],
    },
    {
      name: 'that names no fields keeps all',
      reason: 'a payload would be lost',
      in: {type: 'object'},
      want: {type: 'object', [PRESERVE]: true},
      rules: ['payload-kept'],
    },
    {
      name: 'that is a map of anything keeps all',
      reason: 'v1 would drop the fields below the keys',
      in: {type: 'object', additionalProperties: true},
      want: {type: 'object', [PRESERVE]: true},
      rules: ['payload-kept'],
    },
    {
      name: 'that is a map of payloads keeps them',
      reason: 'the rule holds at any depth',
      in: {type: 'object', additionalProperties: {type: 'object'}},
      want: {type: 'object', additionalProperties: {type: 'object', [PRESERVE]: true}},
      rules: ['payload-kept'],
    },
    {
      name: 'without a type accepts any value',
      reason: 'the old server let any value through, null too',
      in: {description: 'x'},
      want: {description: 'x', ...ANYTHING},
      rules: ['untyped-kept'],
    },
    {
      name: 'without a type but with fields accepts any value with those fields',
      reason: 'the old server checked fields of objects only, and accepted other values',
      in: {properties: {b: {type: 'string'}}},
      want: {properties: {b: {type: 'string'}}, ...ANYTHING},
      rules: ['untyped-kept'],
    },
    {
      name: 'that is a list of any values gets a schema of items',
      reason: 'v1 requires a schema of items',
      in: {type: 'array'},
      want: {type: 'array', items: ANYTHING},
      rules: ['items-added'],
    },
    {
      name: 'of two types in a junctor is an integer or a string',
      reason: 'v1 has an extension for it; without type, null was valid',
      in: {anyOf: [{type: 'string'}, {type: 'integer'}]},
      want: {[INT_OR_STRING]: true, nullable: true, anyOf: [{type: 'integer'}, {type: 'string'}]},
      rules: ['int-or-string'],
    },
    {
      name: 'of two guarded types holds each to its own',
      reason: 'minimum does not apply to texts, nor pattern to numbers',
      in: {
        oneOf: [
          {type: 'integer', minimum: 1},
          {type: 'string', pattern: '%$'},
        ],
      },
      want: {[INT_OR_STRING]: true, nullable: true, allOf: [{minimum: 1}, {pattern: '%$'}]},
      rules: ['int-or-string'],
    },
    {
      name: 'of the format int-or-string is one',
      reason: 'Kubernetes itself used this format',
      in: {type: 'string', format: 'int-or-string'},
      want: {[INT_OR_STRING]: true},
      rules: ['int-or-string'],
    },
    {
      name: 'of one type in all branches has that type',
      reason: 'no other value is valid',
      in: {
        oneOf: [
          {type: 'string', pattern: '^a'},
          {type: 'string', maxLength: 1},
        ],
      },
      want: {type: 'string', nullable: true, oneOf: [{pattern: '^a'}, {maxLength: 1}]},
      rules: ['type-inferred', 'junctor-rewritten'],
    },
    {
      name: 'whose branches repeat its type has it once',
      reason: 'a junctor must not name types',
      in: {type: 'object', properties: {b: {type: 'string'}}, anyOf: [{type: 'object', required: ['b']}]},
      want: {type: 'object', properties: {b: {type: 'string'}}, anyOf: [{required: ['b']}]},
      rules: ['junctor-rewritten'],
    },
    {
      name: 'loses branches that none of its values can satisfy',
      reason: 'they had no effect',
      in: {type: 'string', oneOf: [{type: 'integer'}, {minLength: 1}]},
      want: {type: 'string', oneOf: [{minLength: 1}]},
      rules: ['junctor-rewritten'],
    },
    {
      name: 'whose junctors name undescribed fields describes them',
      reason: 'v1 would drop them before looking for them',
      in: {type: 'object', properties: {b: {type: 'string'}}, anyOf: [{required: ['c']}]},
      want: {type: 'object', properties: {b: {type: 'string'}, c: ANYTHING}, anyOf: [{required: ['c']}]},
      rules: ['field-added'],
    },
    {
      name: 'that requires an undescribed field describes it',
      reason: 'v1 would drop it, and then miss it',
      in: {type: 'object', properties: {b: {type: 'string'}}, required: ['c']},
      want: {type: 'object', properties: {b: {type: 'string'}, c: ANYTHING}, required: ['c']},
      rules: ['field-added'],
    },
    {
      name: 'that counts its fields keeps all',
      reason: 'fields that are dropped would not count',
      in: {type: 'object', properties: {b: {type: 'string'}}, minProperties: 2},
      want: {type: 'object', properties: {b: {type: 'string'}}, minProperties: 2, [PRESERVE]: true},
      rules: ['unknown-kept'],
    },
    {
      name: 'loses its default and its dialect',
      reason: 'v1beta1 applied none and read none',
      in: {type: 'string', default: 'x', $schema: 'http://json-schema.org'},
      want: {type: 'string'},
      rules: ['keyword-dropped', 'default-dropped'],
    },
    {
      name: 'loses a format that servers ignore',
      reason: 'a current one warns of it',
      in: {type: 'string', format: 'color'},
      want: {type: 'string'},
      rules: ['format-dropped'],
    },
    {
      name: 'keeps a format that is enforced by now',
      reason: 'formats of the package are kept',
      in: {type: 'integer', format: 'int32'},
      want: {type: 'integer', format: 'int32'},
      rules: ['format-enforced'],
    },
    {
      name: 'loses int32 beside a bound outside of it',
      reason: 'a current server would reject every integer',
      in: {type: 'integer', format: 'int32', maximum: 4294967295},
      want: {type: 'integer', maximum: 4294967295},
      rules: ['format-dropped'],
    },
    {
      name: 'has whole bounds where it is whole',
      reason: 'the old server truncated them, a current one rejects every integer',
      in: {type: 'integer', maximum: 10.5},
      want: {type: 'integer', maximum: 10},
      rules: ['bound-truncated'],
    },
  ])('$name: $reason', ({in: schema, want, rules}) => {
    expect(converted(schema)).toEqual({schema: want, rules})
  })

  it('keeps unknown fields if the CRD preserves them', () => {
    const schema = {
      type: 'object',
      properties: {b: {type: 'array', items: {type: 'object', properties: {c: {type: 'string'}}}}},
    }
    expect(converted(schema, {preserveUnknownFields: true}).schema).toEqual({
      type: 'object',
      properties: {
        b: {type: 'array', items: {type: 'object', properties: {c: {type: 'string'}}, [PRESERVE]: true}},
      },
      [PRESERVE]: true,
    })
  })

  it('drops unknown fields if the CRD prunes them', () => {
    expect(converted({type: 'object'}, {preserveUnknownFields: false})).toEqual({
      schema: {type: 'object'},
      rules: [],
    })
  })
})

describe('the root of a v1beta1 schema', () => {
  const root = (schema: JsonObject | undefined) => {
    const {crd, notes} = convertCrd(v1beta1Crd(schema), {nonStructural: 'refuse'})
    const [version] = ownVersions(asObject(crd.spec))
    return {schema: asObject(version?.schema).openAPIV3Schema, rules: notes.map(({rule}) => rule)}
  }

  it.each<{readonly name: string; readonly in: JsonObject | undefined; readonly want: JsonValue}>([
    {
      name: 'that is missing keeps everything',
      in: undefined,
      want: {schema: {type: 'object', [PRESERVE]: true}, rules: ['no-schema']},
    },
    {
      name: 'without type is an object',
      in: {properties: {a: {type: 'string'}}},
      want: {
        schema: {properties: {a: {type: 'string'}}, type: 'object'},
        rules: ['pruned-by-default', 'type-inferred'],
      },
    },
    {
      name: 'loses all constraints of metadata but that of the name',
      in: {
        type: 'object',
        properties: {
          apiVersion: {},
          metadata: {
            type: 'object',
            properties: {name: {type: 'string', maxLength: 8}, labels: {type: 'object'}},
          },
        },
      },
      want: {
        schema: {
          type: 'object',
          properties: {
            apiVersion: {type: 'string'},
            metadata: {type: 'object', properties: {name: {type: 'string', maxLength: 8}}},
          },
        },
        rules: ['pruned-by-default', 'metadata-dropped'],
      },
    },
  ])('$name', ({in: schema, want}) => {
    expect(root(schema)).toEqual(want)
  })
})

describe('a v1beta1 CRD', () => {
  it('copies its schema, columns and subresources to versions that have none', () => {
    const own = {type: 'object', properties: {b: {type: 'string'}}}
    const source = v1beta1Crd(
      {type: 'object', properties: {a: {type: 'string'}}},
      {
        additionalPrinterColumns: [{name: 'A', type: 'string', JSONPath: '.a'}],
        subresources: {status: {}},
        versions: [
          {name: 'v2', served: true, storage: true},
          {name: 'v1', served: false, storage: false, schema: {openAPIV3Schema: own}},
        ],
      },
    )
    const shared = {
      additionalPrinterColumns: [{name: 'A', type: 'string', jsonPath: '.a'}],
      subresources: {status: {}},
    }
    expect(convertCrd(source, {nonStructural: 'refuse'}).crd).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: 'widgets.example.org'},
      spec: {
        group: 'example.org',
        names: {kind: 'Widget', plural: 'widgets'},
        scope: 'Namespaced',
        versions: [
          {
            name: 'v2',
            served: true,
            storage: true,
            schema: {openAPIV3Schema: {type: 'object', properties: {a: {type: 'string'}}}},
            ...shared,
          },
          {name: 'v1', served: false, storage: false, schema: {openAPIV3Schema: own}, ...shared},
        ],
      },
    })
  })

  it.each<Case>([
    {
      name: 'without review versions',
      in: {strategy: 'Webhook', webhookClientConfig: {url: 'https://example.org'}},
      want: {
        strategy: 'Webhook',
        webhook: {clientConfig: {url: 'https://example.org'}, conversionReviewVersions: ['v1beta1']},
      },
    },
    {name: 'of no conversion', in: {strategy: 'None'}, want: {strategy: 'None'}},
  ])('keeps its webhook $name', ({in: conversion, want}) => {
    const {crd} = convertCrd(v1beta1Crd({type: 'object'}, {conversion}), {nonStructural: 'refuse'})
    expect(asObject(crd.spec).conversion).toEqual(want)
  })

  it('is not modified itself', () => {
    const source = v1beta1Crd({properties: {a: {anyOf: [{type: 'string'}, {type: 'integer'}], default: 1}}})
    const before = structuredClone(source)
    convertCrd(source, {nonStructural: 'preserve'})
    expect(source).toEqual(before)
  })
})

describe('a schema without a structural form', () => {
  const deep = (levels: number): JsonObject =>
    levels === 0 ? {type: 'string'} : {type: 'object', properties: {a: deep(levels - 1)}}

  it.each<Case & {readonly at: FieldPath}>([
    {name: 'an unknown type', in: {type: 'text'}, at: [], want: ANYTHING},
    {
      name: 'a reference',
      in: {type: 'object', $ref: '#/a'},
      at: [],
      want: {type: 'object', [PRESERVE]: true},
    },
    {
      name: 'a list of schemas',
      in: {type: 'array', items: [{type: 'string'}]},
      at: [],
      want: {type: 'array', items: ANYTHING},
    },
    {
      name: 'a pattern with a lookahead',
      in: {type: 'string', pattern: '(?=a)'},
      at: [],
      want: {type: 'string'},
    },
    {
      name: 'a junctor of other types',
      in: {description: 'x', anyOf: [{type: 'string'}, {type: 'object'}]},
      at: ['anyOf', 0, 'type'],
      want: {description: 'x', ...ANYTHING},
    },
    {
      name: 'fields beside a map',
      in: {type: 'object', properties: {b: {type: 'string'}}, additionalProperties: {type: 'string'}},
      at: [],
      want: {type: 'object', [PRESERVE]: true},
    },
  ])('$name is rejected with its path, or accepts everything there', ({in: schema, at, want}) => {
    const source = v1beta1Crd({type: 'object', properties: {a: schema}})
    const {crd, notes} = convertCrd(source, {nonStructural: 'preserve'})
    const [version] = ownVersions(asObject(crd.spec))
    const {properties} = asObject(asObject(version?.schema).openAPIV3Schema)
    expect(asObject(properties).a).toEqual(want)
    expect(notes.find(({rule}) => rule === 'fallback')).toMatchObject({path: [...AT_A, ...at], version: 'v1'})
    const refused = expect.objectContaining({
      code: 'package-invalid',
      diagnostics: expect.arrayContaining([
        expect.objectContaining({rule: 'non-structural', field: formatPath([...AT_A, ...at])}),
      ]),
    })
    expect(() => convertCrd(source, {nonStructural: 'refuse'})).toThrow(refused)
  })

  it('includes one with more than a hundred levels', () => {
    const {notes} = convertCrd(v1beta1Crd(deep(150)), {nonStructural: 'preserve'})
    expect(notes.filter(({rule}) => rule === 'fallback')).toHaveLength(1)
  })
})

describe('a v1 CRD', () => {
  it('is unchanged', () => {
    const crd = v1Crd({type: 'object', properties: {a: {type: 'string'}}})
    expect(convertCrd(crd, {nonStructural: 'refuse'})).toEqual({crd, notes: []})
  })

  it.each(['refuse', 'preserve'] as const)('is rejected if a server rejects it: %s', nonStructural => {
    expect(() => convertCrd(v1Crd({}), {nonStructural})).toThrow(CrossplaneError)
  })
})
