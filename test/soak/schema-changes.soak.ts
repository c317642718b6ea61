import {describe, expect} from '@jest/globals'
import {schemaChanges} from '../../src/crd/changes/schema-changes.js'
import type {JsonObject, JsonValue} from '../../src/yaml/json-value.js'
import {below, campaign, pick} from './campaign.js'

/** The time that a comparison may take, in milliseconds: a hang takes minutes. */
const MAX_TIME = 2000
/** A walk of a pair of schemas reports a few changes of each keyword at most. */
const MAX_CHANGES = 20_000

describe('mutated schemas', () => {
  campaign(
    'are compared in bounded time, and do not differ from themselves',
    {short: 150, long: 10_000},
    ({random}) => {
      const before = randomSchema(random, 0)
      const after = mutated(random, before)
      const start = performance.now()
      const changes = schemaChanges(before, after)
      expect(performance.now() - start).toBeLessThan(MAX_TIME)
      expect(changes.length).toBeLessThan(MAX_CHANGES)
      expect(schemaChanges(before, structuredClone(before))).toEqual([])
      expect(schemaChanges(after, structuredClone(after)).filter(({rule}) => rule !== 'unread')).toEqual([])
      const texts = [JSON.stringify(plain(before)), JSON.stringify(plain(after))]
      if (changes.length > 0) expect(texts[0]).not.toBe(texts[1])
    },
  )
})

/** JSON has no text for integers that JavaScript cannot represent. */
function plain(schema: JsonValue): JsonValue {
  return typeof schema === 'object' && schema !== null
    ? Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value)]))
    : typeof schema === 'bigint'
      ? `${schema}n`
      : schema
}

const LONG = `^${'(a+)+'.repeat(2000)}$`
const RULES = ['self == oldSelf', 'true', `${'self == self && '.repeat(2000)}true`]
const VALUES: readonly JsonValue[] = [
  ...[null, true, false, 0, -1, 1.5, 2n ** 70n, '', 'a', LONG, [], {}, ['a', 1, null], {a: {b: []}}],
]

const KEYWORDS: Readonly<Record<string, readonly JsonValue[]>> = {
  type: ['string', 'integer', 'number', 'boolean', 'array', 'object'],
  nullable: [true],
  default: [1, 'a', {a: 1}, []],
  enum: [['a', 'b'], [1], Array.from({length: 500}, (_none, index) => `v${index}`)],
  ...Object.fromEntries(
    ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'multipleOf'].map(key => [
      key,
      [0, 1, 9, 2n ** 60n],
    ]),
  ),
  pattern: ['^a', LONG],
  format: ['date', 'int64', 'unheard-of'],
  required: [['a'], ['a', 'b']],
  oneOf: [[{required: ['a']}]],
  anyOf: [[{type: 'integer'}, {type: 'string'}]],
  not: [{enum: ['a']}],
  $ref: ['#', '#/properties/a'],
  'x-kubernetes-int-or-string': [true],
  'x-kubernetes-preserve-unknown-fields': [true],
  'x-kubernetes-embedded-resource': [true],
  'x-kubernetes-list-type': ['set', 'map', 'atomic'],
  'x-kubernetes-list-map-keys': [['a']],
  'x-kubernetes-map-type': ['atomic', 'granular'],
  'x-kubernetes-validations': RULES.map(rule => [{rule}]),
}

const NAMES = ['a', 'b', 'spec', '__proto__', 'constructor', 'x.y', '']
const PARTS = ['properties', 'items', 'additionalProperties']
const DEEP = 400

function randomSchema(random: () => number, depth: number): JsonObject {
  const keywords = Object.entries(KEYWORDS).filter(() => random() < 0.15)
  const own = Object.fromEntries(keywords.map(([key, values]) => [key, pick(random, values)]))
  if (depth > 3 || random() < 0.2) return own
  const fields = NAMES.filter(() => random() < 0.4).map(
    name => [name, randomSchema(random, depth + 1)] as const,
  )
  return {
    ...own,
    properties: Object.fromEntries(fields),
    ...(random() < 0.2 ? {items: randomSchema(random, depth + 1)} : {}),
    ...(random() < 0.2 ? {additionalProperties: randomSchema(random, depth + 1)} : {}),
  }
}

/** Changes one node: a keyword gets another value, also of a wrong type, is left out, or nests very deeply. */
function mutated(random: () => number, schema: JsonObject): JsonObject {
  const {properties} = schema
  const names = Object.keys((properties ?? {}) as JsonObject)
  if (names.length > 0 && random() < 0.7) {
    const name = pick(random, names)
    const part = (properties as JsonObject)[name] as JsonObject
    const others = Object.entries(properties as JsonObject).filter(([key]) => key !== name)
    return {...schema, properties: Object.fromEntries([...others, [name, mutated(random, part)]])}
  }
  const keyword = pick(random, [...Object.keys(KEYWORDS), ...PARTS])
  const {[keyword]: _dropped, ...others} = schema
  if (random() < 0.2) return others
  if (random() < 0.05) return {...others, [pick(random, ['items', 'additionalProperties'])]: deep(random)}
  return {...others, [keyword]: pick(random, random() < 0.3 ? VALUES : (KEYWORDS[keyword] ?? VALUES))}
}

function deep(random: () => number): JsonObject {
  let schema: JsonObject = {type: pick(random, ['string', 'integer'])}
  for (let level = below(random, DEEP); level > 0; level -= 1)
    schema = random() < 0.5 ? {items: schema} : {properties: {a: schema}}
  return schema
}
