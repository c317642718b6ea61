import {expect, it} from '@jest/globals'
import fc from 'fast-check'
import {randomInt} from 'node:crypto'
import {convertCrd} from '../../src/crd/convert/convert-crd.js'
import {withKeys} from '../../src/crd/convert/convert-junctors.js'
import {checkCrd} from '../../src/crd/checks/check-crd.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject, type JsonValue} from '../../src/yaml/json-value.js'
import {describeCluster} from '../cluster/describe-cluster.js'
import type {Answer} from '../cluster/kube.js'
import {describeCorpus} from '../corpus.js'
import {abreast} from './abreast.js'
import {corpusCrds} from './corpus-crds.js'
import {v1beta1Crd} from './convert/v1beta1-crd.js'
import {resourceSchema} from './convert/v1beta1-schema.js'
import {COST_CASES, costCrd} from './checks/cost-cases.js'
import {DEFAULT_CASES} from './checks/default-cases.js'
import {RULE_CASES, ruleCrd, ruleObject} from './instances/rule-cases.js'
import {instanceKind, serve} from './instances/served-crd.js'
import {CRD, SCHEMA_CASES} from '../usage/schema-cases.js'

const PATIENCE = 240_000
/** The fields of which the server complains, sorted; none if it accepts. */
function refusedFields({code, body}: Answer): string[] {
  if (code < 400) return []
  const fields = asObjects(asObject(body.details).causes).map(({field}) => asText(field))
  return [...new Set(fields.length === 0 ? [asText(body.message)] : fields)].sort()
}

function problemFields(crd: KubernetesObject): string[] {
  return [...new Set(checkCrd(crd).map(({path}) => path))].sort()
}

/** The newest of each CRD, converted. */
function distinctCrds(): KubernetesObject[] {
  const crds = corpusCrds().map(crd => convertCrd(crd, {nonStructural: 'refuse'}).crd)
  return [...new Map(crds.map(crd => [crd.metadata.name, crd])).values()]
}

type Changes = Readonly<Record<string, JsonValue | undefined>>

/** Changes of the spec of a CRD, and of the schema of its field `spec`, each of which breaks one rule. */
const BROKEN_SPECS: readonly Changes[] = [
  {group: 'nodot'},
  {scope: 'Global'},
  {names: {kind: 'A', plural: 'b', shortNames: ['UPPER']}},
  {preserveUnknownFields: true},
  {conversion: {strategy: 'Webhook', webhook: {conversionReviewVersions: ['v1']}}},
]
const BROKEN_FIELDS: readonly Changes[] = [
  {type: undefined},
  {type: 'text'},
  {uniqueItems: true},
  {id: 'x'},
  {$ref: '#/x'},
  {$schema: 'http://json-schema.org'},
  {definitions: {x: {type: 'string'}}},
  {dependencies: {x: ['y']}},
  {patternProperties: {x: {type: 'string'}}},
  {additionalItems: true},
  {pattern: '(?=a)'},
  {items: [{type: 'string'}]},
  {anyOf: [{type: 'string'}]},
  {oneOf: [{description: 'x'}]},
  {allOf: [{nullable: true}]},
  {not: {properties: {metadata: {}}}},
  {'x-kubernetes-list-type': 'set'},
  {'x-kubernetes-map-type': 'loose'},
  {'x-kubernetes-preserve-unknown-fields': false},
  {'x-kubernetes-validations': [{rule: ' '}]},
]

function rootOf(crd: KubernetesObject): JsonObject {
  const [version] = asObjects(asObject(crd.spec).versions)
  return asObject(asObject(version?.schema).openAPIV3Schema)
}

function hasSpec(crd: KubernetesObject): boolean {
  return asObject(rootOf(crd).properties).spec !== undefined
}

function broken(crd: KubernetesObject): KubernetesObject[] {
  const spec = asObject(crd.spec)
  const root = rootOf(crd)
  const field = asObject(asObject(root.properties).spec)
  const withField = (changes: Changes) => {
    const properties = {...asObject(root.properties), spec: withKeys(field, changes)}
    const [version] = asObjects(spec.versions)
    return {...spec, versions: [{...version, schema: {openAPIV3Schema: {...root, properties}}}]}
  }
  const specs = [...BROKEN_SPECS.map(changes => withKeys(spec, changes)), ...BROKEN_FIELDS.map(withField)]
  return specs.map(each => ({...crd, spec: each}))
}

describeCorpus('CRDs of real packages', () => {
  describeCluster('current', 'on a current API server', cluster => {
    const crds = distinctCrds()

    it(
      'are accepted in all their releases',
      async () => {
        const all = corpusCrds().map(crd => convertCrd(crd, {nonStructural: 'refuse'}).crd)
        const answers = await abreast(all, crd => cluster().kube.create(crd, {dryRun: true}))
        expect(answers.flatMap(refusedFields)).toEqual([])
      },
      PATIENCE,
    )

    it(
      'are rejected for the fields that the offline check names, if one rule is broken',
      async () => {
        const cases = crds.filter(hasSpec).slice(0, 10).flatMap(broken)
        const answers = await abreast(cases, crd => cluster().kube.create(crd, {dryRun: true}))
        expect(answers.map(refusedFields)).toEqual(cases.map(problemFields))
        expect(answers.filter(({code}) => code >= 400).length).toBeGreaterThan(200)
      },
      PATIENCE,
    )
  })
})

describeCluster('current', 'generated CRDs on a current API server', cluster => {
  it(
    'are accepted once converted',
    async () => {
      const seed = randomInt(2 ** 31)
      const crds = fc
        .sample(resourceSchema, {numRuns: 150, seed})
        .map(schema => convertCrd(v1beta1Crd(schema), {nonStructural: 'preserve'}).crd)
      const answers = await abreast(crds, crd => cluster().kube.create(crd, {dryRun: true}))
      const refused = answers.flatMap((answer, i) =>
        answer.code < 400 ? [] : [[refusedFields(answer), crds[i]]],
      )
      expect({seed, refused}).toEqual({seed, refused: []})
    },
    PATIENCE,
  )
})

describeCluster('current', 'defaults on a current API server', cluster => {
  it.each(DEFAULT_CASES)('$name: $reason', async ({in: crd, want}) => {
    expect(refusedFields(await cluster().kube.create(crd, {dryRun: true}))).toEqual([...want].sort())
  })
})

describeCluster('current', 'JSON Schemas on a current API server', cluster => {
  it(
    'accept what a strict creation accepts',
    async () => {
      const {kube} = cluster()
      await serve(kube, CRD, instanceKind(CRD))
      const path = '/apis/schemas.example.org/v1/things?dryRun=All&fieldValidation=Strict'
      const answers = await abreast(SCHEMA_CASES, ({in: object}) => kube.send('POST', path, object))
      const verdicts = SCHEMA_CASES.map(({name}, i) => ({name, want: (answers[i]?.code ?? 0) < 400}))
      expect(verdicts).toEqual(SCHEMA_CASES.map(({name, want}) => ({name, want})))
    },
    PATIENCE,
  )
})

describeCluster('current', 'rules in CEL on a current API server', cluster => {
  it(
    'have the verdicts of the cases',
    async () => {
      const {kube} = cluster()
      const crd = ruleCrd()
      await serve(kube, crd, instanceKind(crd))
      const path = '/apis/rules.example.org/v1/rules?dryRun=All'
      const answers = await abreast([...RULE_CASES.keys()], index =>
        kube.send('POST', path, ruleObject(index)),
      )
      const verdicts = RULE_CASES.map(({rule}, i) => ({rule, want: (answers[i]?.code ?? 0) < 400}))
      expect(verdicts).toEqual(RULE_CASES.map(({rule, want}) => ({rule, want})))
    },
    PATIENCE,
  )
})

describeCluster('current', 'costs of rules on a current API server', cluster => {
  it.each(COST_CASES)('are too high as for $name: $want', async ({in: schema, want}) => {
    const fields = refusedFields(await cluster().kube.create(costCrd(schema), {dryRun: true}))
    expect(fields.filter(field => field.endsWith('.rule'))).toEqual(want === undefined ? [] : [want])
  })
})
