import {beforeAll, expect} from '@jest/globals'
import {load} from 'js-yaml'
import {schemaRules} from '../../src/adapters/cel/schema-rules.js'
import {lintXpkg} from '../../src/author/lint/lint-xpkg.js'
import {present} from '../../src/present.js'
import {crdsOfXrd} from '../../src/xpkg/content/xrd-crds.js'
import {
  asObject,
  asObjects,
  asText,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/yaml/json-value.js'
import type {TestCluster} from '../cluster/api-server.js'
import {describeReal} from '../real-parts.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import {missingPrograms} from '../cluster/find-server.js'
import type {Answer} from '../cluster/kube.js'
import {crossplane} from '../cluster/servers.js'
import {abreast} from '../crd/abreast.js'
import {serveCrds} from '../gitops/programs.js'
import {below, campaign, pick} from './campaign.js'
import {BASES} from './server-lint-bases.js'

type Random = () => number

/** The objects of each kind in a round: 20 in the full check, 100 in five rounds of a soak. */
const OBJECTS = 20

/** Differences that are right, by what the server answers and lint reports. */
const KNOWN: readonly Known[] = [
  {
    reason: 'the cost of expressions is not estimated',
    isIt: ({answer = ''}) => /estimated rule cost|cost total/.test(answer),
  },
  {
    isEarlier: true,
    reason: 'Crossplane decodes what the schema of an operation leaves open, and rejects the package',
    isIt: ({answer, errors}) => answer === undefined && errors.some(error => error.endsWith('[field-type]')),
  },
  {
    isEarlier: true,
    reason: 'the server does not see that Crossplane derives no CRD without a schema',
    isIt: ({answer, errors}) =>
      answer === undefined && errors.some(error => error.includes('no CRD can be derived')),
  },
]

interface Known {
  readonly reason: string
  /** Whether Crossplane rejects it before it asks the server. */
  readonly isEarlier?: boolean
  readonly isIt: (difference: Difference) => boolean
}

interface Difference {
  readonly answer: string | undefined
  readonly errors: readonly string[]
}

interface Case {
  readonly kind: string
  readonly change: string
  readonly object: JsonObject
}

const rules = schemaRules()

/** The errors of lint for one object, but for those about the package as a whole. */
function lintErrors(object: JsonObject): readonly string[] {
  const kind = ['CustomResourceDefinition', 'ManagedResourceDefinition'].includes(asText(object.kind))
    ? 'Provider'
    : 'Configuration'
  const meta = {apiVersion: 'meta.pkg.crossplane.io/v1', kind, metadata: {name: 'example'}}
  const files = [
    {path: 'crossplane.yaml', bytes: Buffer.from(JSON.stringify(meta))},
    {path: 'object.yaml', bytes: Buffer.from(JSON.stringify(object))},
  ]
  return lintXpkg({files, rules})
    .filter(({severity}) => severity === 'error')
    .map(({rule, message}) => `${message} [${rule}]`)
}

describeReal('faulty objects of packages', missingPrograms([crossplane]), () => {
  describeCluster('current', 'for a server with the CRDs of Crossplane', haveOneVerdict)
})

function haveOneVerdict(cluster: () => TestCluster): void {
  beforeAll(async () => {
    await serveCrds(cluster().kube, [crossplane])
  }, 120_000)

  /** Returns what the server rejects: the object, or a CRD that Crossplane derives from it. */
  async function refusal(object: JsonObject): Promise<string | undefined> {
    const dryRun = async (one: JsonObject) => await cluster().kube.create(one, {dryRun: true})
    const own = refused(await dryRun(object))
    if (own !== undefined) return own
    for (const crd of derivedFrom(object)) {
      const derived = refused(await dryRun(crd))
      if (derived !== undefined) return derived
    }
    if (object.kind !== 'CompositeResourceDefinition') return undefined
    // Crossplane decodes the schemas of an XRD before it derives anything; the server decodes them as those of a CRD.
    const decoded = await dryRun(asCrd(object))
    return decoded.code === 400 ? refused(decoded) : undefined
  }

  campaign('have the verdict of an API server', {short: 1, long: 5}, async ({random, number}) => {
    const cases = BASES.flatMap(base => faultyObjects(base, random))
    const answers = await abreast(cases, async ({object}) => await refusal(object))
    const differences = cases.flatMap(({kind, change, object}, index) => {
      const errors = lintErrors(object)
      const answer = answers[index]
      if (errors.length > 0 === (answer !== undefined)) return []
      const {reason, isEarlier = false} = KNOWN.find(({isIt}) => isIt({answer, errors})) ?? {}
      return [{kind, change, reason, isEarlier, answer, errors}]
    })
    for (const difference of differences) process.stderr.write(`${JSON.stringify(difference)}\n`)
    const rejected = answers.filter(answer => answer !== undefined).length
    process.stderr.write(`round ${number}: ${cases.length} objects, ${rejected} rejected\n`)
    expect(differences.filter(({reason}) => reason === undefined)).toEqual([])
    const judged = differences.filter(({isEarlier}) => !isEarlier)
    expect(judged.length).toBeLessThanOrEqual(cases.length * 0.02)
    expect(rejected).toBeGreaterThan(cases.length / 3)
  })
}

function derivedFrom(object: JsonObject): readonly JsonObject[] {
  if (object.kind === 'CompositeResourceDefinition') return crdsOfXrd(object)
  return object.kind === 'ManagedResourceDefinition' ? [asCrd(object)] : []
}

/** A CRD with the fields that a definition has in common with one. */
function asCrd({metadata, spec}: JsonObject): JsonObject {
  const {group, names, scope = 'Namespaced', versions} = asObject(spec)
  const own = asObjects(versions).map(({referenceable, ...version}) => ({
    ...version,
    storage: referenceable ?? version.storage ?? false,
  }))
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: asObject(metadata).name ?? ''},
    spec: {...present({group, names}), scope, versions: own},
  }
}

function refused({code, body}: Answer): string | undefined {
  return code < 400 ? undefined : asText(body.message)
}

function faultyObjects(text: string, random: Random): readonly Case[] {
  const base = load(text) as JsonObject
  return Array.from({length: OBJECTS}, () => {
    const {object, change} = changed(base, random)
    return {kind: asText(base.kind), change, object}
  })
}

/** Changes one place of an object: removes it, repeats it, or gives it another value. */
function changed(base: JsonObject, random: Random): {readonly object: JsonObject; readonly change: string} {
  const path = pick(
    random,
    placesIn(base, []).filter(place => place.length > 1),
  )
  const [name, next] = pick(random, changesOf(valueAt(base, path), path, random))
  const shown = next === undefined ? '' : `: ${JSON.stringify(next).slice(0, 100)}`
  return {object: asObject(withValue(base, path, next)), change: `${name} ${path.join('.')}${shown}`}
}

type Path = readonly (string | number)[]

function placesIn(value: JsonValue, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]): readonly Path[] => {
    const at = [...path, isJsonArray(value) ? Number(name) : name]
    return [at, ...placesIn(inner, at)]
  })
}

function partOf(value: JsonValue, step: string | number): JsonValue {
  return (isJsonArray(value) ? value[Number(step)] : asObject(value)[step]) ?? null
}

function valueAt(value: JsonValue, path: Path): JsonValue {
  return path.reduce(partOf, value)
}

/** Returns a value with another one at a path, or without one. */
function withValue(value: JsonValue, [step = '', ...rest]: Path, next: JsonValue | undefined): JsonValue {
  const inner = rest.length === 0 ? next : withValue(partOf(value, step), rest, next)
  if (isJsonArray(value))
    return value.flatMap((part, index) => (index !== step ? [part] : inner === undefined ? [] : [inner]))
  return Object.fromEntries(
    Object.entries(asObject(value)).flatMap(([name, part]) =>
      name !== step ? [[name, part]] : inner === undefined ? [] : [[name, inner]],
    ),
  )
}

type Change = readonly [name: string, value: JsonValue | undefined]

const KEYWORDS: readonly JsonObject[] = [
  {type: 'text'},
  {uniqueItems: true},
  {pattern: '(?=a)'},
  {default: {}},
  {default: 'a'},
  {nullable: true},
  {minimum: 3},
  {enum: ['a', 1]},
  {format: 'date-time'},
  {required: ['a']},
  {additionalProperties: {type: 'string'}},
  {anyOf: [{type: 'string'}]},
  {oneOf: [{required: ['a']}]},
  {not: {properties: {metadata: {}}}},
  {'x-kubernetes-list-type': 'set'},
  {'x-kubernetes-map-type': 'atomic'},
  {'x-kubernetes-embedded-resource': true},
  {'x-kubernetes-preserve-unknown-fields': true},
  {'x-kubernetes-int-or-string': true},
  {'x-kubernetes-validations': [{rule: 'has(self.nothing)'}]},
  {'x-kubernetes-validations': [{rule: 'self == oldSelf'}]},
  {'x-kubernetes-validations': [{rule: 'self.size() < 3'}]},
  {'x-kubernetes-validations': [{rule: 'true ||'}]},
]

function changesOf(value: JsonValue, path: Path, random: Random): readonly Change[] {
  const shared: readonly Change[] = [['remove', undefined], ...otherTypes(value)]
  if (typeof value === 'string')
    return [
      ...shared,
      ['capital', value.toUpperCase()],
      ['lower', value.toLowerCase()],
      ['blank', `${value} `],
      ['empty', ''],
    ]
  if (isJsonArray(value))
    return [
      ...shared,
      ['repeat', [...value, ...value.slice(-1)]],
      ['empty', []],
      ['repeat', [...value, ...value.slice(-1)]],
    ]
  if (!isJsonObject(value)) return shared
  const isSchema = value.type !== undefined && path.includes('openAPIV3Schema')
  const keyword = KEYWORDS[below(random, KEYWORDS.length)] ?? {}
  const grown: readonly Change[] = isSchema
    ? Array.from({length: 6}, (): Change => ['keyword', {...value, ...keyword}])
    : [['field', {...value, other: 1}]]
  return [...shared, ['empty', {}], ...grown]
}

function otherTypes(value: JsonValue): readonly Change[] {
  const values: readonly JsonValue[] = ['text', 5, true, {a: 'b'}, ['a']]
  const others = values.filter(
    other => typeof other !== typeof value || isJsonArray(other) !== isJsonArray(value),
  )
  return others.map((other): Change => ['type', other])
}
