import {expect, it} from '@jest/globals'
import type {ClusterApi} from '../../../src/cluster/api/cluster-api.js'
import {statusError} from '../../../src/cluster/api/status-error.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {observeCrdInstances} from '../../../src/pipeline/cluster/core/crd-instances.js'
import {judgeCrds} from '../../../src/plan/cluster/core/crd-gate.js'
import type {CoreRequest} from '../../../src/plan/cluster/state/core-state.js'
import type {XpkgObject} from '../../../src/xpkg/content/xpkg.js'

const GROUP = 'keys.example.org'
const KIND = {group: GROUP, kind: 'Db', plural: 'dbs', scope: 'Cluster' as const}
const SCHEMA = {
  type: 'object',
  properties: {spec: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
}
const VERSIONS = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: SCHEMA}}]
const NAMES = {kind: 'Db', plural: 'dbs', singular: 'db'}

/** The CRD that Crossplane made of a definition. */
function crdOf(kind: string): KubernetesObject {
  const owner = {apiVersion: 'apiextensions.crossplane.io/v1', kind, name: `dbs.${GROUP}`, uid: 'd'}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `dbs.${GROUP}`, ownerReferences: [owner]},
    spec: {group: GROUP, scope: 'Cluster', names: NAMES, versions: VERSIONS},
    status: {storedVersions: ['v1']},
  }
}

const OBJECTS = ['with', 'without'].map(name => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Db',
  metadata: {name},
  spec: name === 'with' ? {writeConnectionSecretToRef: {name: 'secret', namespace: 'ns'}} : {},
}))

type Keys = readonly string[]

function specOf(kind: string, keys: Keys) {
  return kind === 'CompositeResourceDefinition'
    ? {connectionSecretKeys: keys}
    : {connectionDetails: keys.map(name => ({name, type: 'string', description: ''}))}
}

/** A cluster with a definition and two objects of its kind. */
function cluster(kind: string, keys: Keys): ClusterApi {
  return {
    get: async (key: {kind: string}) => {
      if (key.kind !== kind) throw new Error(`unexpected ${key.kind}`)
      return Promise.resolve({
        apiVersion: 'apiextensions.crossplane.io/v1',
        kind,
        metadata: {name: `dbs.${GROUP}`},
        spec: {...specOf(kind, keys), versions: [{name: 'v1', schema: {openAPIV3Schema: SCHEMA}}]},
      })
    },
    resource: async () => Promise.resolve({plural: 'dbs'}),
    list: async function* () {
      yield* await Promise.resolve(OBJECTS)
    },
  } as unknown as ClusterApi
}

/** The definition of the new version, as a file of its package. */
function fileOf(kind: string, keys: Keys) {
  const isXrd = kind === 'CompositeResourceDefinition'
  const [version] = VERSIONS
  const versions = [isXrd ? {...version, storage: undefined, referenceable: true} : version]
  const definition = {
    apiVersion: `apiextensions.crossplane.io/${isXrd ? 'v1' : 'v1alpha1'}`,
    kind,
    metadata: {name: `dbs.${GROUP}`},
    spec: {group: GROUP, scope: isXrd ? undefined : 'Cluster', names: NAMES, ...specOf(kind, keys), versions},
  }
  return {path: 'definition.yaml', bytes: Buffer.from(JSON.stringify(definition))}
}

/** The warnings of an upgrade that changes nothing but the keys. */
async function risksOf(
  kind: string,
  before: Keys,
  after: Keys,
  api: Partial<ClusterApi> = {},
): Promise<readonly string[]> {
  const object = {crds: [{...KIND, singular: 'db', served: ['v1'], stored: 'v1'}]} as unknown as XpkgObject
  const request = {} as CoreRequest
  const files = async () => Promise.resolve([fileOf(kind, after)])
  const change = {request, crds: [crdOf(kind)], objects: [object], files}
  const instances = await observeCrdInstances([change], {...cluster(kind, before), ...api}, async () =>
    Promise.resolve({}),
  )
  const {risks, rejections} = judgeCrds([change], instances, {keepsInstances: false})
  return [...rejections, ...[...risks.values()].flat()].map(({rule, message}) => `${rule}: ${message}`)
}

it.each([
  {name: 'an MRD, for what is only a warning', kind: 'ManagedResourceDefinition', want: []},
  {name: 'an XRD, of which the new CRD is made', kind: 'CompositeResourceDefinition', want: 'rejected'},
])('an upgrade by an account that may not read $name', async ({kind, want}) => {
  const get = async () =>
    Promise.reject(
      statusError({
        request: 'GET /',
        aim: {aim: 'get it', verb: 'get'},
        response: {status: 403, headers: {}},
        status: {reason: '', message: '', causes: []},
      }),
    )
  expect(await risksOf(kind, ['host'], [], {get}).catch(() => 'rejected')).toEqual(want)
})

const [XRD, MRD] = ['CompositeResourceDefinition', 'ManagedResourceDefinition']
const warned = (lost: string) => [
  `usage-impact: 1 custom resource of dbs.${GROUP} is treated in another way: Db with spec.writeConnectionSecretToRef: meaning: connection details no longer have ${lost}`,
]

it.each<{name: string; kind: string; before: Keys; after: Keys; want: readonly string[]}>([
  {name: 'a key of an XRD', kind: XRD, before: ['host', 'port'], after: ['host'], want: warned('port')},
  {
    name: 'a key of a managed resource',
    kind: MRD,
    before: ['host', 'port'],
    after: ['port'],
    want: warned('host'),
  },
  {name: 'all keys of a managed resource', kind: MRD, before: ['host'], after: [], want: warned('host')},
  {
    name: 'what a new list of an XRD leaves out',
    kind: XRD,
    before: [],
    after: ['host'],
    want: warned('keys other than host'),
  },
  {name: 'nothing if an XRD has no list any more', kind: XRD, before: ['host'], after: [], want: []},
  {name: 'nothing for another key', kind: XRD, before: ['host'], after: ['host', 'port'], want: []},
])('an upgrade in a cluster warns of $name', async ({kind, before, after, want}) => {
  expect(await risksOf(kind, before, after)).toEqual(want)
})
