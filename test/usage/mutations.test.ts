import {describe, expect} from '@jest/globals'
import {goPatterns} from '../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {CrossplaneError} from '../../src/errors.js'
import {surfaceOfXpkg} from '../../src/package/xpkg/surface.js'
import {compareSets, type SurfacePackage} from '../../src/usage/compare-sets.js'
import {compareUsage} from '../../src/usage/objects/compare-usage.js'
import {readObjects} from '../../src/usage/objects/read-objects.js'
import {schemaFiles} from '../../src/usage/schema-files.js'
import {validateObjects} from '../../src/usage/validation/validate-objects.js'
import {isJsonArray, isJsonObject, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {below, campaign, pick} from '../soak/campaign.js'

type Random = () => number

const SPEC: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: {type: 'integer', minimum: 1, maximum: 9, default: 3},
    name: {type: 'string', pattern: '^[a-z]+$', maxLength: 20},
    tags: {type: 'object', additionalProperties: {type: 'string'}},
    rules: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: {type: 'object', required: ['id'], properties: {id: {type: 'string'}, port: {type: 'integer'}}},
    },
    any: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
  },
  'x-kubernetes-validations': [{rule: 'self.size < 9', message: 'too large'}],
}
const OBJECT: JsonObject = {
  size: 2,
  name: 'abc',
  tags: {a: 'b'},
  rules: [{id: 'x', port: 80}, {id: 'y'}],
  any: {deep: [1]},
}

const list = <Item extends JsonValue>(length: number, item: Item): Item[] => Array.from({length}, () => item)

/** A value within itself, as often as a file can have it, and more often. */
function nested(depth: number, around: (inner: JsonValue) => JsonValue): JsonValue {
  let value: JsonValue = {}
  for (let at = 0; at < depth; at++) value = around(value)
  return value
}

const COSTLY = [
  'self.rules.all(a, self.rules.all(b, self.rules.all(c, a.id + b.id != c.id)))',
  'self.name.matches("(a+)+$")',
  `${'('.repeat(300)}self.size > 0${')'.repeat(300)}`,
  list(2000, 'self.size > 0').join(' && '),
  'self.tags.all(k, self.tags.all(l, self.tags[k] == self.tags[l]))',
]
const PATTERNS = [
  '^(a+)+$',
  `(${'a|'.repeat(5000)}b)`,
  'a{1000}{1000}',
  '(?<=a)b',
  '[',
  `${'(a?)'.repeat(300)}b`,
]

/** Parts of schemas that no author means, and that cost much to judge. */
const SCHEMAS: readonly ((random: Random) => JsonValue)[] = [
  random => ({type: 'string', pattern: pick(random, PATTERNS)}),
  random =>
    nested(10 ** (1 + below(random, 3)), inner => ({type: 'object', properties: {a: inner as JsonObject}})),
  random => nested(10 ** (1 + below(random, 3)), inner => ({type: 'array', items: inner as JsonObject})),
  random => nested(below(random, 1000), inner => ({allOf: [inner]})),
  random =>
    nested(below(random, 5), inner => ({anyOf: [inner, {type: 'string'}], oneOf: [inner], not: inner})),
  random => ({...SPEC, 'x-kubernetes-validations': list(below(random, 40), {rule: pick(random, COSTLY)})}),
  () => ({$ref: '#/properties/spec'}),
  () => ({type: 'object', properties: Object.fromEntries(list(1000, 0).map((_, at) => [`f${at}`, SPEC]))}),
  random => ({enum: list(below(random, 5000), 'x')}),
  random => pick<JsonValue>(random, [null, [], 7, 'object', {type: []}, {type: 'thing'}, {properties: []}]),
  () => ({type: 'object', properties: {constructor: {type: 'string'}, toString: {type: 'integer'}}}),
  random => ({
    type: 'integer',
    minimum: pick(random, [-1e308, 1e308]),
    multipleOf: pick(random, [0, -1, 1e-9]),
  }),
]

/** Values that no user means. */
const VALUES: readonly ((random: Random) => JsonValue)[] = [
  random => 'a'.repeat(10 ** (1 + below(random, 5))),
  random => nested(10 ** (1 + below(random, 3)), inner => ({a: inner})),
  random => nested(10 ** (1 + below(random, 3)), inner => [inner]),
  random => list(below(random, 3000), {id: 'x', port: 1}),
  random => Object.fromEntries(list(below(random, 3000), 0).map((_, at) => [`k${at}`, 'v'])),
  random =>
    pick<JsonValue>(random, [null, '', -0, 1e308, 1.5, true, [], {}, {constructor: 'a', toString: 1}]),
]

/** Replaces, adds or removes a part somewhere. */
function mutated(
  value: JsonValue,
  parts: readonly ((random: Random) => JsonValue)[],
  random: Random,
): JsonValue {
  if (random() < 0.25) return pick(random, parts)(random)
  if (isJsonArray(value) && value.length > 0) {
    const at = below(random, value.length)
    return value.map((item, index) => (index === at ? mutated(item, parts, random) : item))
  }
  if (!isJsonObject(value)) return pick(random, parts)(random)
  const name = pick(random, [...Object.keys(value), 'new'])
  const {[name]: before = {}, ...others} = value
  return random() < 0.1 ? others : {...others, [name]: mutated(before, parts, random)}
}

function packageOf(spec: JsonValue): SurfacePackage {
  const crd = {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: 'dbs.example.org'},
    spec: {
      ...{group: 'example.org', scope: 'Cluster'},
      names: {plural: 'dbs', kind: 'Db', singular: 'db', listKind: 'DbList'},
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {openAPIV3Schema: {type: 'object', properties: {spec}}},
        },
      ],
    },
  }
  const meta = {apiVersion: 'meta.pkg.crossplane.io/v1', kind: 'Provider', metadata: {name: 'sql'}}
  const files = [meta, crd].map((object, at) => ({
    path: `${at}.yaml`,
    bytes: Buffer.from(JSON.stringify(object)),
  }))
  return {package: 'example/sql', version: 'v1', surface: surfaceOfXpkg({name: 'sql', files})}
}

/** Values of YAML that JSON cannot have: a part within itself, parts that multiply, and the deepest nesting. */
const ALIASES = [
  'spec: &a {size: 1, any: *a}',
  `a: &a [x,x,x,x,x,x,x,x,x]\n${list(9, 0)
    .map((_, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`},*${at === 0 ? 'a' : `b${at - 1}`}]`)
    .join('\n')}\nspec: *b8`,
  'spec: {<<: [*a], size: 1}',
  `spec: ${'{a: '.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `spec: ${'['.repeat(100_000)}`,
]

function fileOf(spec: JsonValue, random: Random): Buffer {
  const head = 'apiVersion: example.org/v1\nkind: Db\nmetadata: {name: a}\n'
  const body = random() < 0.05 ? pick(random, ALIASES) : `spec: ${JSON.stringify(spec)}`
  return Buffer.from(`${head}${body}\n`)
}

/** Does all that is done with schemas and objects; throws only errors with a code. */
function judgeAll(random: Random): 'judged' | 'refused' {
  const specs = [SPEC, mutated(SPEC, SCHEMAS, random)]
  if (random() < 0.5) specs.reverse()
  const object = random() < 0.5 ? mutated(OBJECT, VALUES, random) : OBJECT
  try {
    const [before, after] = specs.map(spec => [packageOf(spec)])
    const objects = readObjects([{path: 'a.yaml', bytes: fileOf(object, random)}])
    const judge = {...goPatterns(), rules: schemaRules()}
    compareSets(before!, after!)
    compareUsage(before!, after!, objects, judge)
    validateObjects(after!, objects, {allowUnknown: [], ...judge})
    schemaFiles(after!)
    return 'judged'
  } catch (error) {
    if (error instanceof CrossplaneError) return 'refused'
    throw error
  }
}

/** Milliseconds for one pair with an object, on a machine that does other work as well. */
const BOUND = 20_000

describe('mutated schemas and objects', () => {
  campaign('are judged or refused with a code, within bounds', {short: 100, long: 10_000}, ({random}) => {
    const start = performance.now()
    expect(['judged', 'refused']).toContain(judgeAll(random))
    expect(performance.now() - start).toBeLessThan(BOUND)
  })
})
