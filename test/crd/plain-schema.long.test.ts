import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {checkCrd} from '../../src/crd/checks/check-crd.js'
import {convertCrd} from '../../src/crd/convert/convert-crd.js'
import {isPlain} from '../../src/crd/plain-schema.js'
import {INT_OR_STRING, PRESERVE} from '../../src/crd/schema-node.js'
import {CrossplaneError} from '../../src/errors.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {describeCorpus} from '../corpus.js'
import {v1beta1Crd} from './convert/v1beta1-crd.js'
import {corpusCrds} from './corpus-crds.js'

const PLAIN_LEAF = {type: 'string', description: 'x'}

const NAMES = fc.constantFrom('a', 'b', 'metadata')
const KEYWORDS = fc.constantFrom<JsonObject[]>(
  ...[{default: 'x'}, {nullable: true}, {[PRESERVE]: true}, {[INT_OR_STRING]: true}, {uniqueItems: true}],
  ...[
    {format: 'int32'},
    {minProperties: 1},
    {enum: [{a: 1}]},
    {enum: ['a']},
    {required: ['b']},
    {type: 'date'},
  ],
  ...[
    {pattern: '(?=a)'},
    {maximum: 1.5},
    {properties: {}},
    {additionalProperties: true},
    {items: []},
    {not: {}},
  ],
  ...[{anyOf: [{required: ['b']}]}, {$ref: 'x'}, {'x-kubernetes-embedded-resource': true}],
)

/** Schemas of which many parts are plain. */
const {schema} = fc.letrec<{schema: JsonObject; plain: JsonObject}>(tie => ({
  schema: fc
    .tuple(tie('plain'), fc.option(KEYWORDS, {nil: {}, freq: 4}))
    .map(([plain, keyword]) => ({...plain, ...keyword})),
  plain: fc.oneof(
    {maxDepth: 4, withCrossShrink: true},
    fc.constantFrom<JsonObject[]>(
      ...[PLAIN_LEAF, {type: 'integer', format: 'int64'}, {type: 'string', format: 'date-time'}],
      ...[{type: 'boolean'}, {type: 'number'}, {type: 'string', enum: ['a']}],
    ),
    fc
      .tuple(
        fc.dictionary(NAMES, tie('schema'), {minKeys: 1}),
        fc.constantFrom<JsonObject[]>({}, {required: ['a']}, {required: ['a', 'b']}),
      )
      .map(([properties, required]) => ({type: 'object', properties, ...required})),
    tie('schema').map(items => ({type: 'array', items})),
    tie('schema').map(additionalProperties => ({type: 'object', additionalProperties})),
  ),
}))

const crds: fc.Arbitrary<KubernetesObject> = fc
  .tuple(
    fc.dictionary(fc.constantFrom('spec', 'status', 'metadata'), schema, {minKeys: 1}),
    fc.constantFrom<JsonObject[]>({}, {preserveUnknownFields: true}, {preserveUnknownFields: false}),
  )
  .map(([properties, spec]) => v1beta1Crd({type: 'object', properties}, spec))

const MARK = 'makes a schema not plain, and has no effect'

/** Gives a title to each part of a schema, except in junctors and metadata, where it would have an effect. */
function titled(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part
  const {properties, items, additionalProperties, ...rest} = part
  return {
    ...rest,
    ...(isJsonObject(properties) ? {properties: mapped(properties, titled)} : {}),
    ...(items === undefined ? {} : {items: titled(items)}),
    ...(additionalProperties === undefined ? {} : {additionalProperties: titled(additionalProperties)}),
    title: MARK,
  }
}

function mapped(value: JsonObject, change: (part: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part, name)]))
}

/** Gives titles to the parts of each root below `value`. */
function withTitles(value: JsonValue, key = ''): JsonValue {
  if (isJsonArray(value)) return value.map(each => withTitles(each))
  if (!isJsonObject(value)) return value
  if (key !== 'openAPIV3Schema') return mapped(value, withTitles)
  if (!isJsonObject(value.properties)) return value
  return {
    ...value,
    properties: mapped(value.properties, (part, name) => (name === 'metadata' ? part : titled(part))),
  }
}

function withoutTitles(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutTitles)
  if (!isJsonObject(value)) return value
  const {title, ...rest} = value
  return mapped(title === MARK ? rest : value, withoutTitles)
}

/** What becomes of a CRD, and what is wrong with it where it is taken as v1. */
function outcomes(crd: KubernetesObject): JsonValue {
  const convert = (nonStructural: 'preserve' | 'refuse') => {
    try {
      return convertCrd(crd, {nonStructural})
    } catch (error) {
      if (error instanceof CrossplaneError) return error.diagnostics
      throw error
    }
  }
  const {validation, versions} = crd.spec as {validation?: JsonObject; versions?: readonly JsonObject[]}
  const spec = {
    ...(crd.spec as JsonObject),
    versions: (versions ?? []).map(each => ({schema: validation, ...each})),
  }
  const all = [convert('refuse'), convert('preserve'), checkCrd({...crd, spec} as KubernetesObject)]
  return withoutTitles(JSON.parse(JSON.stringify(all)) as JsonValue)
}

describe('conversion and checks', () => {
  it('are those of the same CRD without plain schemas', () => {
    let plain = 0
    fc.assert(
      fc.property(crds, crd => {
        expect(outcomes(withTitles(crd) as KubernetesObject)).toEqual(outcomes(crd))
        const {validation} = crd.spec as {validation: {openAPIV3Schema: {properties: JsonObject}}}
        const parts = Object.values(validation.openAPIV3Schema.properties)
        plain += parts.filter(part => isPlain(part as JsonObject)).length
      }),
      {numRuns: 300},
    )
    expect(plain).toBeGreaterThan(30)
  })
})

describeCorpus('conversion and checks of real packages', () => {
  it('are those of the same CRDs without plain schemas', () => {
    for (const crd of corpusCrds()) {
      expect(outcomes(withTitles(crd) as KubernetesObject)).toEqual(outcomes(crd))
    }
  })
})
