import {generateKeyPairSync} from 'node:crypto'
import type {JsonObject} from '../../src/yaml/json-value.js'
import type {Fixture} from './places.js'
import {type Authored, type Crd, reference, REGISTRY} from './worlds.js'

const gate = (tag: string, ...crds: readonly Crd[]): Authored => ({name: 'gate', tag, crds})
const ONE = gate('v1.0.0', {plural: 'gates'})

function calling(name: string): JsonObject {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'example-c'},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'X'},
      mode: 'Pipeline',
      pipeline: [{step: 'one', functionRef: {name}}],
    },
  }
}

const COMPOSITION = calling('example-fn')

const DROPPED = {
  before: [gate('v1.0.0', {plural: 'gates'}, {plural: 'doors'})],
  after: [gate('v2.0.0', {plural: 'doors'})],
}

const fn = (tag: string, ...capabilities: readonly string[]): Authored => ({
  ...{name: 'fn', tag, kind: 'Function', capabilities},
})

const CALLING: Authored = {
  ...{name: 'app', tag: 'v1.0.0', kind: 'Configuration', objects: [COMPOSITION]},
  requires: [{name: 'fn', crd: 'fns', kind: 'function'}],
}

/** A Composition of gates in a version that goes. */
const COMPOSING: Authored = {
  ...{name: 'app', tag: 'v1.0.0', kind: 'Configuration'},
  objects: [
    {
      ...COMPOSITION,
      spec: {
        compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'X'},
        mode: 'Pipeline',
        pipeline: [
          {
            step: 'one',
            functionRef: {name: 'function-patch-and-transform'},
            input: {
              apiVersion: 'pt.fn.crossplane.io/v1beta1',
              kind: 'Resources',
              resources: [{name: 'gate', base: {apiVersion: 'example.org/v1beta1', kind: 'Gate'}}],
            },
          },
        ],
      },
    },
  ],
}

const ACTIVATION: JsonObject = {
  apiVersion: 'apiextensions.crossplane.io/v1alpha1',
  kind: 'ManagedResourceActivationPolicy',
  metadata: {name: 'example-gates'},
  spec: {activate: ['gates.example.org']},
}

const app = (tag: string): Authored => ({name: 'app', tag, kind: 'Configuration', objects: [COMPOSITION]})

const {publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
const key = publicKey.export({type: 'spki', format: 'pem'}).toString()

/** What each check is tried on. */
export const FIXTURES = {
  'crd-refused': {
    after: [
      gate('v1.0.0', {
        plural: 'gates',
        schema: {properties: {spec: {type: 'object', properties: {a: {type: 'array'}}}}},
      }),
    ],
  },
  'crd-dropped': DROPPED,
  'crd-version-removed': {
    before: [gate('v1.0.0', {plural: 'gates', versions: ['v1', 'v1beta1']})],
    after: [gate('v2.0.0', {plural: 'gates'})],
  },
  'crd-scope-changed': {before: [ONE], after: [gate('v2.0.0', {plural: 'gates', scope: 'Namespaced'})]},
  'function-lost': {
    before: [
      {...app('v1.0.0'), requires: [{name: 'fn', crd: 'fns', kind: 'function'}]},
      {name: 'fn', tag: 'v1.0.0', kind: 'Function', crds: [{plural: 'fns'}]},
    ],
    after: [app('v2.0.0')],
    requested: [reference('app')],
  },
  'function-missing': {
    after: [
      {name: 'fn', tag: 'v1.0.0', kind: 'Function'},
      {...CALLING, objects: [calling('fn')]},
    ],
    requested: [reference('app')],
  },
  'capability-lost': {
    before: [CALLING, fn('v1.0.0', 'composition')],
    after: [fn('v2.0.0', 'operation'), CALLING],
    requested: [reference('app'), reference('fn')],
  },
  'kind-lost': {
    before: [COMPOSING, gate('v1.0.0', {plural: 'gates', versions: ['v1', 'v1beta1']})],
    after: [gate('v2.0.0', {plural: 'gates'}), COMPOSING],
    requested: [reference('app'), reference('gate')],
  },
  'activation-lost': {
    before: [{...app('v1.0.0'), objects: [ACTIVATION, COMPOSITION]}],
    after: [app('v2.0.0')],
  },
  'shared-object': {after: [ONE, {name: 'rival', tag: 'v1.0.0', crds: [{plural: 'gates'}]}]},
  unsatisfied: {
    after: [
      {name: 'base', tag: 'v1.0.0', crds: [{plural: 'bases'}]},
      {...ONE, requires: [{name: 'base', crd: 'gones', constraint: '>=v2.0.0'}]},
    ],
  },
  'changed-content': {before: [ONE], after: [gate('v1.0.0', {plural: 'gates'}, {plural: 'doors'})]},
  unreadable: {
    after: [ONE, {...gate('v2.0.0', {plural: 'gates'}), broken: '\n: [\n'}],
    requested: [reference('gate')],
  },
  yanked: {
    after: [ONE, gate('v2.0.0', {plural: 'gates'})],
    requested: [reference('gate')],
    yanked: [{name: 'gate', tag: 'v2.0.0'}],
  },
  'locked-yanked': {
    before: [ONE],
    after: [ONE],
    requested: [reference('gate')],
    yanked: [{name: 'gate', tag: 'v1.0.0'}],
  },
  'policy-sources': {after: [ONE], policy: {sources: ['registry.example.org/other']}},
  'policy-signatures': {
    after: [ONE],
    policy: {signatures: [{repositories: [REGISTRY], signers: [{key}]}]},
  },
  'policy-crd-changes': {...DROPPED, policy: {reject: {crdChanges: ['dropped']}}},
  'policy-privileged': {
    after: [{...ONE, pod: {hostPID: true}}],
    policy: {reject: {privilegedDeployments: true}},
  },
} satisfies Readonly<Record<string, Fixture>>
