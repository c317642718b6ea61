import {describe, expect} from '@jest/globals'
import {convertCrd} from '../../src/crd/convert/convert-crd.js'
import {checkCrd} from '../../src/crd/checks/check-crd.js'
import {CrossplaneError} from '../../src/errors.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {v1beta1Crd} from '../crd/convert/v1beta1-crd.js'
import {below, campaign, pick} from './campaign.js'

describe('generated v1beta1 CRDs', () => {
  campaign(
    'are converted to CRDs that a server accepts, or rejected with a code',
    {short: 300},
    ({random}) => {
      const crd = randomCrd(random)
      const before = structuredClone(crd)
      try {
        expect(checkCrd(convertCrd(crd, {nonStructural: 'preserve'}).crd)).toEqual([])
        const {crd: strict} = convertCrd(crd, {nonStructural: 'refuse'})
        expect(checkCrd(strict)).toEqual([])
      } catch (error) {
        if (!(error instanceof CrossplaneError)) throw error
        expect(error.diagnostics).not.toEqual([])
      }
      expect(crd).toEqual(before)
    },
  )
})

function randomCrd(random: () => number): ReturnType<typeof v1beta1Crd> {
  const second = random() < 0.3
  return v1beta1Crd(random() < 0.95 ? rootSchema(random) : undefined, {
    ...maybe(random, 0.3, {preserveUnknownFields: random() < 0.5}),
    ...maybe(random, 0.4, {subresources: {status: {}, ...maybe(random, 0.3, {scale: SCALE})}}),
    ...(second
      ? {
          versions: [
            {name: 'v1', served: true, storage: true},
            {name: 'v2', served: true, storage: false, schema: {openAPIV3Schema: rootSchema(random)}},
          ],
        }
      : {}),
  })
}

const SCALE = {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas'}

function maybe(random: () => number, chance: number, fields: JsonObject): JsonObject {
  return random() < chance ? fields : {}
}

const TYPES = ['object', 'string', 'integer', 'number', 'boolean', 'array', '', 'null', 'any']
const NAMES = ['spec', 'status', 'kind', 'apiVersion', 'metadata', 'name', 'a', 'b', '__proto__', 'x.y', '']

function rootSchema(random: () => number): JsonObject {
  const schema = randomSchema(random, 0)
  return random() < 0.6 ? {...schema, type: 'object'} : schema
}

function randomSchema(random: () => number, depth: number): JsonObject {
  const keywords = Object.entries(KEYWORDS).flatMap(([key, values]) =>
    random() < 0.06 ? [[key, pick(random, values)] as const] : [],
  )
  const type: JsonObject = random() < 0.8 ? {type: pick(random, TYPES)} : {}
  const own = {...type, ...Object.fromEntries(keywords)}
  return depth > 3 ? own : {...own, ...randomParts(random, () => randomSchema(random, depth + 1))}
}

function randomParts(random: () => number, child: () => JsonObject): JsonObject {
  const children = () => Array.from({length: below(random, 3)}, child)
  const parts: Record<string, JsonValue> = {}
  if (random() < 0.5) {
    const names = Array.from({length: 1 + below(random, 4)}, () => pick(random, NAMES))
    parts.properties = Object.fromEntries(names.map(name => [name, child()]))
  }
  if (random() < 0.2) parts.items = random() < 0.9 ? child() : children()
  if (random() < 0.15) parts.additionalProperties = random() < 0.5 ? child() : random() < 0.5
  for (const junctor of ['allOf', 'anyOf', 'oneOf']) if (random() < 0.1) parts[junctor] = children()
  if (random() < 0.05) parts.not = child()
  return parts
}

const KEYWORDS: Readonly<Record<string, readonly JsonValue[]>> = {
  'x-kubernetes-int-or-string': [true, false],
  'x-kubernetes-embedded-resource': [true, false],
  'x-kubernetes-preserve-unknown-fields': [true, false],
  'x-kubernetes-map-type': ['atomic', 'granular', 'odd', ''],
  'x-kubernetes-list-type': ['atomic', 'set', 'map', 'odd'],
  'x-kubernetes-list-map-keys': [[], ['name'], ['a', 'a']],
  'x-kubernetes-validations': [[{rule: 'true'}]],
  nullable: [true, false],
  description: ['text', ''],
  title: ['text'],
  format: ['int32', 'int64', 'float', 'int-or-string', 'date-time', 'odd', 'byte'],
  pattern: ['^a+$', '(?=a)', '(', '\\d+'],
  enum: [[], ['a'], [1, 'a'], [null], [{a: 1}]],
  required: [[], ['a'], ['spec', 'kind'], ['a', 'a']],
  minimum: [0, -1.5, 1e300],
  maximum: [10, 4294967295],
  exclusiveMinimum: [true, false],
  multipleOf: [0, 2, 0.5],
  minLength: [0, 3],
  maxItems: [0, 5],
  uniqueItems: [true, false],
  minProperties: [0, 1],
  maxProperties: [2],
  default: ['x', null, {}],
  example: [{a: 1}],
  externalDocs: [{url: 'https://example.org'}],
  id: ['#x'],
  $schema: ['http://json-schema.org/schema#'],
  $ref: ['#/definitions/a'],
  definitions: [{}, {a: {type: 'string'}}],
  dependencies: [{}, {a: ['b']}],
  patternProperties: [{}, {'^a': {type: 'string'}}],
  additionalItems: [true, false, {type: 'string'}],
}
