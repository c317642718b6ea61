import {describe, expect, it} from '@jest/globals'
import {convertCrd, ownVersions} from '../../../src/crd/convert/convert-crd.js'
import {asObject, type FieldPath, type JsonObject, type JsonValue} from '../../../src/yaml/json-value.js'
import {v1beta1Crd} from './v1beta1-crd.js'

const EMBEDDED = 'x-kubernetes-embedded-resource'
const PRESERVE = 'x-kubernetes-preserve-unknown-fields'
const ROOT = ['spec', 'validation', 'openAPIV3Schema']
const AT_A = [...ROOT, 'properties', 'a']
const text = {type: 'string'}

/** The schema of a CRD's root, where all that has no structural form accepts everything, and what those places are. */
function preserved(schema: JsonObject, spec: JsonObject = {}) {
  const {crd, notes} = convertCrd(v1beta1Crd(schema, spec), {nonStructural: 'preserve'})
  const [version] = ownVersions(asObject(crd.spec))
  const at = notes.filter(({rule}) => rule === 'fallback').map(({path}) => path)
  return {schema: asObject(asObject(version?.schema).openAPIV3Schema), at}
}

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: JsonObject
  readonly at: readonly FieldPath[]
  readonly want: JsonValue
}

describe('a junctor', () => {
  it.each<Case>([
    {
      name: 'that only requires a field',
      reason: 'it is structural as it is',
      in: {type: 'object', properties: {b: text}, anyOf: [{required: ['b']}]},
      at: [],
      want: {type: 'object', properties: {b: text}, anyOf: [{required: ['b']}]},
    },
    {
      name: 'with an integer that a double does not hold',
      reason: 'its digits are kept while its type moves to the node',
      in: {type: 'integer', anyOf: [{type: 'integer', enum: [9007199254740993n]}, {minimum: 3}]},
      at: [],
      want: {type: 'integer', anyOf: [{enum: [9007199254740993n]}, {minimum: 3}]},
    },
    {
      name: 'with named fields and without other fields',
      reason: 'a structural schema has no closed objects',
      in: {
        type: 'object',
        properties: {b: text},
        anyOf: [{properties: {b: {minLength: 1}}, additionalProperties: false}],
      },
      at: [[...AT_A, 'anyOf', 0]],
      want: {type: 'object', [PRESERVE]: true},
    },
    {
      name: 'with a list of schemas of items',
      reason: 'all items have one schema',
      in: {type: 'array', items: text, anyOf: [{items: [{minLength: 1}]}]},
      at: [[...AT_A, 'anyOf', 0]],
      want: {type: 'array', items: {nullable: true, [PRESERVE]: true}},
    },
    {
      name: 'that describes metadata of an embedded resource',
      reason: 'junctors cannot describe metadata',
      in: {
        type: 'object',
        [EMBEDDED]: true,
        properties: {metadata: {type: 'object', properties: {name: text}}},
        anyOf: [{properties: {metadata: {required: ['name']}}}],
      },
      at: [[...AT_A, 'anyOf', 0, 'properties', 'metadata']],
      want: {type: 'object', [EMBEDDED]: true, [PRESERVE]: true},
    },
  ])('$name: $reason', ({in: a, at, want}) => {
    const found = preserved({type: 'object', properties: {a}})
    expect({at: found.at, want: asObject(found.schema.properties).a}).toEqual({at, want})
  })

  it.each<{readonly name: string; readonly in: JsonObject; readonly want: JsonObject}>([
    {name: 'with its description', in: {description: 'x'}, want: {description: 'x'}},
    {name: 'without one', in: {}, want: {}},
  ])('at the root beside a status subresource accepts all values, $name', ({in: said, want}) => {
    const root = {
      type: 'object',
      properties: {b: text, c: text},
      oneOf: [{required: ['b']}, {required: ['c']}],
    }
    expect(preserved({...root, ...said}, {subresources: {status: {}}})).toEqual({
      schema: {type: 'object', [PRESERVE]: true, ...want},
      at: [ROOT],
    })
  })
})
