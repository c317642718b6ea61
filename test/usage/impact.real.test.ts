import {expect, it} from '@jest/globals'
import {describeCluster} from '../cluster/describe-cluster.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {compareUsage} from '../../src/usage/objects/compare-usage.js'
import {crdSurface} from '../../src/usage/package-surface.js'
import {asObject, asText, type JsonObject} from '../../src/yaml/json-value.js'
import {accepted, type Kube, until} from '../cluster/kube.js'
import {describeCorpus} from '../corpus.js'
import {abreast} from '../crd/abreast.js'
import {judgeComposed, judgeComposite} from './composed-judge.js'
import {changedKinds, disagreements, generatedPairs, judgePair} from './impact-judge.js'
import {MUTATIONS} from './impact-pairs.js'
import {CHANGES, COMPOSITE_CHANGES} from './validation/composition-changes.js'

const GROUP = 'whole.example.org'

/** Other composite resources than those of the test could be rejected. */
const UNSEEN = new Set(['a condition of what is around a field that a patch sets'])

interface KindParts {
  readonly scope?: string
  readonly served?: readonly string[]
  readonly stored?: string
  /** The type of `spec.size` in v2. */
  readonly size?: string
  readonly webhook?: string
}

/** A CRD whose v2 can differ from v1. */
function kindOf(
  singular: string,
  {scope = 'Cluster', served = ['v1'], stored: storage = served[0], size = 'integer', webhook}: KindParts,
): KubernetesObject {
  const kind = `${singular[0]!.toUpperCase()}${singular.slice(1)}`
  const schema = (type: string) => ({
    openAPIV3Schema: {
      type: 'object',
      properties: {spec: {type: 'object', properties: {size: {type}}}},
    },
  })
  const names = [...new Set(['v1', ...served])]
  const clientConfig = {url: webhook}
  return {
    ...{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'},
    metadata: {name: `${singular}s.${GROUP}`},
    spec: {
      ...{group: GROUP, scope, names: {plural: `${singular}s`, singular, kind, listKind: `${kind}List`}},
      versions: names.map(name => ({
        ...{name, served: served.includes(name), storage: name === storage},
        schema: schema(name === 'v1' ? 'integer' : size),
      })),
      ...(webhook === undefined
        ? {}
        : {conversion: {strategy: 'Webhook', webhook: {conversionReviewVersions: ['v1'], clientConfig}}}),
    } as JsonObject,
  }
}

/** Creates a CRD and an object of its v1. */
async function stored(kube: Kube, crd: KubernetesObject): Promise<KubernetesObject> {
  accepted(await kube.create(crd))
  const kind = asText(asObject(asObject(crd.spec).names).kind)
  const object = {apiVersion: `${GROUP}/v1`, kind, metadata: {name: 'one'}, spec: {size: 1}}
  await until(
    () => kube.apply(object, {manager: 'user', force: true}),
    ({code}) => code < 300,
  )
  return object
}

async function replaced(kube: Kube, crd: KubernetesObject): Promise<void> {
  const {resourceVersion = ''} = asObject((await kube.get(crd)).body.metadata)
  accepted(
    await kube.replace({...crd, metadata: {...crd.metadata, resourceVersion: asText(resourceVersion)}}),
  )
}

/** The verdicts about an object. */
function wholeVerdicts(
  before: KubernetesObject,
  after: KubernetesObject,
  {apiVersion, kind, ...value}: KubernetesObject,
): readonly string[] {
  const facts = {permission: [], image: [], capability: [], dependency: [], function: [], composition: []}
  const [old, now] = [before, after].map(crd => [
    {package: 'p', version: '', surface: {crds: [crdSurface(crd, 'crd')], facts, unread: []}},
  ])
  const object = {apiVersion, kind, value: {apiVersion, kind, ...value}, file: '', line: 1, lineOf: () => 1}
  const read = {objects: [object], unread: [], files: 1}
  return compareUsage(old!, now!, read, {}).findings.map(({verdict}) => verdict)
}

const PATIENCE = 300_000

const CORPUS_PAIRS = [
  ['provider-aws@v0.10.0', 'provider-aws@v0.11.1'],
  ['provider-gcp@v0.5.0', 'provider-gcp@v0.6.0'],
  ['provider-azuread@v2.2.1', 'provider-azuread@v2.3.0'],
  ['provider-gitlab@v0.19.0', 'provider-gitlab@v0.20.0'],
  ['provider-aws-iam@v1.23.0', 'provider-aws-iam@v2.6.0'],
] as const

/** Kinds of each pair of releases whose schemas differ; the same kinds in each run. */
const MAX_KINDS = 8

describeCluster('current', 'what an upgrade does to objects, on a current API server', cluster => {
  it(
    'is what is reported offline, for each change of a schema',
    async () => {
      const rows = (await abreast(generatedPairs(MUTATIONS), pair => judgePair(cluster().kube, pair))).flat()
      expect(rows.flatMap(row => disagreements(row).map(text => `${row.name}: ${text}`))).toEqual([])
      const affected = (part: 'breaks' | 'lost' | 'defaults') =>
        rows.filter(({theirs}) => theirs[part].length > 0).length
      expect(affected('breaks')).toBeGreaterThan(50)
      expect(affected('lost')).toBeGreaterThan(15)
      expect(affected('defaults')).toBeGreaterThan(10)
    },
    PATIENCE,
  )

  it(
    'is that a kind of another scope, and a version that is gone, are no longer served',
    async () => {
      const {kube} = cluster()
      const [one, other] = ['Cluster', 'Namespaced'].map(scope => kindOf('scoped', {scope}))
      const object = await stored(kube, one!)
      expect(wholeVerdicts(one!, other!, object)).toEqual(['unserved'])
      expect(await kube.apply(object, {manager: 'user', force: true})).toMatchObject({code: 200})
      // A scope cannot be updated.
      accepted(await kube.delete(one!))
      await until(
        () => kube.get(one!),
        ({code}) => code === 404,
      )
      accepted(await kube.create(other!))
      const created = (namespace: string) =>
        kube.send('POST', `/apis/${GROUP}/v1${namespace}/scopeds?dryRun=All`, object)
      await until(
        () => created('/namespaces/default'),
        ({code}) => code < 300,
      )
      expect(await created('')).toMatchObject({code: 404})

      const [both, last] = [['v1', 'v2'], ['v2']].map(served => kindOf('versioned', {served}))
      const old = await stored(kube, both!)
      expect(wholeVerdicts(both!, last!, old)).toEqual(['unserved'])
      await replaced(kube, last!)
      expect(
        await until(
          () => kube.send('POST', `/apis/${GROUP}/v1/versioneds?dryRun=All`, old),
          ({code}) => code === 404,
        ),
      ).toMatchObject({code: 404})
    },
    PATIENCE,
  )

  it(
    'is that a webhook decides about objects of another version',
    async () => {
      const {kube} = cluster()
      const [before, after] = [
        kindOf('converted', {served: ['v1', 'v2']}),
        kindOf('converted', {
          served: ['v1', 'v2'],
          stored: 'v2',
          size: 'string',
          webhook: 'https://127.0.0.1:1/',
        }),
      ]
      const object = await stored(kube, before)
      expect(wholeVerdicts(before, after, object)).toContain('convert')
      const read = () => kube.send('GET', `/apis/${GROUP}/v2/converteds/one`)
      expect(await read()).toMatchObject({code: 200})
      await replaced(kube, after)
      const answer = await until(read, ({code}) => code === 500)
      expect(asText(answer.body.message)).toContain('conversion webhook')
    },
    PATIENCE,
  )

  it(
    'is what happens to the resources of Compositions',
    async () => {
      const rows = await abreast([...CHANGES.entries()], ([at, change]) =>
        judgeComposed(cluster().kube, change, at),
      )
      const shown = rows.map(({name, ours, theirs}) => ({name, ...ours, ...(UNSEEN.has(name) ? {} : theirs)}))
      expect(shown).toEqual(rows.map(({name, ours}) => ({name, ...ours})))
      const seen = (of: 'breaks' | 'lost' | 'reads' | 'defaults') =>
        rows.filter(({theirs}) => theirs[of].length > 0).length
      expect([seen('breaks'), seen('lost'), seen('reads'), seen('defaults')]).toEqual([8, 2, 3, 1])
    },
    PATIENCE,
  )

  it(
    'is what happens to what a Composition reads and writes of its composite resources',
    async () => {
      const rows = await abreast([...COMPOSITE_CHANGES.entries()], ([at, change]) =>
        judgeComposite(cluster().kube, change, at),
      )
      expect(rows.map(({name, theirs}) => ({name, verdicts: theirs}))).toEqual(
        rows.map(({name, ours}) => ({name, verdicts: ours})),
      )
      expect(rows.flatMap(({theirs}) => theirs)).toEqual(['lost', 'breaks', 'breaks'])
    },
    PATIENCE,
  )

  describeCorpus('and for releases of real packages', () => {
    it(
      'is what is reported offline',
      async () => {
        const pairs = CORPUS_PAIRS.flatMap(([old, now], at) =>
          changedKinds(old, now, `p${at}`).slice(0, MAX_KINDS),
        )
        const rows = (await abreast(pairs, pair => judgePair(cluster().kube, pair))).flat()
        expect(rows.flatMap(row => disagreements(row).map(text => `${row.name}: ${text}`))).toEqual([])
        expect(rows.length).toBeGreaterThan(40)
        expect(rows.filter(({theirs}) => theirs.breaks.length > 0).length).toBeGreaterThan(0)
      },
      PATIENCE,
    )
  })
})
