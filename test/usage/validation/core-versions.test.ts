import {describe, expect, it} from '@jest/globals'
import {goPatterns} from '../../../src/adapters/cel/match-pattern.js'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {documentsOf, validated} from './composition-fixtures.js'

/* Definitions that Crossplane v1 accepts: environments up to v1.17, all others up to v1.20. The CRDs of v2 reject them. */

const XRD = {
  ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition'},
  metadata: {name: 'xshops.town.example'},
  spec: {
    ...{group: 'town.example', names: {kind: 'XShop', plural: 'xshops'}},
    versions: [{name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
}
const OVEN = {
  ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'CompositeResourceDefinition'},
  metadata: {name: 'ovens.kit.example'},
  spec: {...XRD.spec, group: 'kit.example', names: {kind: 'Oven', plural: 'ovens'}},
}
const STEP = {step: 'a', functionRef: {name: 'function-auto-ready'}}
const PIPELINE = {mode: 'Pipeline', pipeline: [STEP]}
const BASE = {apiVersion: 'kit.example/v1', kind: 'Oven', spec: {}}
const RESOURCES = [{name: 'oven', base: BASE}]
const SHOP = {apiVersion: 'town.example/v1', kind: 'XShop', metadata: {name: 'one'}, spec: {}}
const REQUIRED_OF_ENVIRONMENT = {
  step: 'parts',
  functionRef: {name: 'function-patch-and-transform'},
  input: {
    ...{apiVersion: 'pt.fn.crossplane.io/v1beta1', kind: 'Resources'},
    resources: [
      {
        ...{name: 'oven', base: BASE},
        patches: [
          {
            ...{type: 'FromEnvironmentFieldPath', fromFieldPath: 'zone', toFieldPath: 'metadata.labels.zone'},
            policy: {fromFieldPath: 'Required'},
          },
        ],
      },
    ],
  },
}

const plan = (spec: object) => ({
  ...{apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: {name: 'plan'}},
  spec: {compositeTypeRef: {apiVersion: 'town.example/v1', kind: 'XShop'}, ...spec},
})

function validation(
  own: readonly object[],
  more: {readonly coreVersion?: string; readonly allowUnknown?: string[]},
) {
  return validated(documentsOf(own), {...goPatterns(), rules: schemaRules(), ...more})
}

/** Rule and path of each finding, and the paths that are not read. */
function judged(own: readonly object[], coreVersion?: string, allowUnknown: string[] = []) {
  const {findings, unread} = validation(own, {
    ...{allowUnknown},
    ...(coreVersion === undefined ? {} : {coreVersion}),
  })
  return {
    findings: findings.map(({rule, path = ''}) => `${rule} ${path}`),
    unread: unread.map(({path = ''}) => path),
    messages: findings.map(({message}) => message),
  }
}

interface Case {
  readonly name: string
  readonly in: readonly object[]
  /** With Crossplane v2. */
  readonly want: readonly string[]
  readonly unread?: readonly string[]
}

const CASES: readonly Case[] = [
  {
    name: 'EnvironmentConfigs',
    in: [
      XRD,
      OVEN,
      SHOP,
      plan({
        environment: {environmentConfigs: [{type: 'Reference', ref: {name: 'a'}}]},
        ...{mode: 'Pipeline', pipeline: [REQUIRED_OF_ENVIRONMENT]},
      }),
    ],
    want: ['unknown-field spec.environment'],
  },
  {
    name: 'patch sets beside a pipeline',
    in: [XRD, plan({...PIPELINE, patchSets: [{name: 'a', patches: []}]})],
    want: ['unknown-field spec.patchSets'],
  },
  {
    name: 'an empty list of resources beside a pipeline',
    in: [XRD, plan({...PIPELINE, resources: []})],
    want: ['unknown-field spec.resources'],
  },
  {
    name: 'the strategy None of conversions',
    in: [{...XRD, spec: {...XRD.spec, conversion: {strategy: 'None'}}}],
    want: ['rule-violated spec.conversion'],
  },
  {
    name: 'credentials of the source None',
    in: [XRD, plan({...PIPELINE, pipeline: [{...STEP, credentials: [{name: 'a', source: 'None'}]}]})],
    want: ['rule-violated spec.pipeline[0].credentials[0]'],
  },
  {
    name: 'the mode Resources',
    in: [XRD, OVEN, plan({mode: 'Resources', resources: RESOURCES, patchSets: []})],
    want: ['invalid spec.mode'],
    unread: ['spec.mode'],
  },
  {
    name: 'resources without a mode',
    in: [XRD, OVEN, plan({resources: RESOURCES})],
    want: ['invalid spec.resources'],
    unread: ['spec.resources'],
  },
]

describe('definitions of Crossplane v1', () => {
  it.each(CASES)('are accepted without a version of Crossplane: $name', ({in: own, unread = []}) => {
    expect(judged(own, undefined)).toEqual({findings: [], unread, messages: []})
  })

  it.each(CASES)('are accepted for Crossplane v1: $name', ({in: own, unread = []}) => {
    expect(judged(own, 'v1.20.1')).toEqual({findings: [], unread, messages: []})
  })

  it.each(CASES)('are reported for Crossplane v2: $name', ({in: own, want}) => {
    const {findings, unread} = judged(own, 'v2.1.0')
    expect({findings: [...findings].sort(), unread}).toEqual({findings: [...want].sort(), unread: []})
  })

  it('are named with their mode', () => {
    expect(judged([XRD, plan({mode: 'Resources', resources: RESOURCES})], 'v2.0.0').messages).toEqual([
      'Crossplane v2 does not have the mode Resources: a pipeline is required',
    ])
  })

  it('are judged for the rest, also beside left-over fields', () => {
    const own = [XRD, plan({...PIPELINE, resources: [], patchSets: [], pipelines: []})]
    expect(judged(own, undefined).findings).toEqual(['unknown-field spec.pipelines'])
  })
})

describe('definitions that Crossplane judges', () => {
  it('count as validated', () => {
    const counts = (own: readonly object[], coreVersion: string) => {
      const {validated, skipped} = validation(own, {coreVersion})
      return {validated, skipped: skipped.map(({kind}) => kind)}
    }
    const own = [XRD, plan(PIPELINE)]
    expect(counts(own, 'v2.3.4')).toEqual({validated: 2, skipped: []})
    expect(counts(own, 'v1.20.1')).toEqual({validated: 1, skipped: ['CompositeResourceDefinition']})
  })

  it.each(['Composition', 'apiextensions.crossplane.io', 'Composition.apiextensions.crossplane.io'])(
    'are not judged by its schemas with --allow-unknown %s',
    name => {
      const own = [plan({...PIPELINE, pipelines: []}), plan({mode: 'Resources', resources: RESOURCES})]
      expect(judged([XRD, OVEN, ...own], 'v2.3.4', [name])).toMatchObject({
        findings: [],
        unread: ['spec.mode'],
      })
    },
  )

  it('are not judged if their kind is allowed', () => {
    const wrong = {...XRD, spec: {...XRD.spec, claimName: {}}}
    expect(judged([wrong], 'v2.3.4').findings).toEqual(['unknown-field spec.claimName'])
    expect(judged([wrong], 'v2.3.4', ['CompositeResourceDefinition']).findings).toEqual([])
  })

  it('can be for a version that is not referenceable', () => {
    const versions = [...XRD.spec.versions, {...XRD.spec.versions[0], name: 'v2', referenceable: false}]
    const ref = {compositeTypeRef: {apiVersion: 'town.example/v2', kind: 'XShop'}}
    const own = [{...XRD, spec: {...XRD.spec, versions}}, plan({...PIPELINE, ...ref})]
    expect(judged(own, 'v2.3.4')).toEqual({
      ...{findings: [], messages: []},
      unread: ['spec.compositeTypeRef.apiVersion'],
    })
  })

  it('can be wrong as a whole and within', () => {
    const pipeline = Array.from({length: 100}, (_, at) => ({...STEP, step: `a${at}`}))
    const repeated = {...STEP, step: 'a0'}
    const found = (steps: readonly object[]) =>
      judged([XRD, plan({mode: 'Pipeline', pipeline: steps})]).findings
    expect(found([...pipeline, repeated]).sort()).toEqual([
      'invalid spec.pipeline',
      'invalid spec.pipeline[100].step',
    ])
    expect(found([])).toEqual(['invalid spec.pipeline'])
    expect(judged([XRD, plan({mode: 'Pipeline'})]).findings).toEqual(['invalid spec.pipeline'])
  })
})
