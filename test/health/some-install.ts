import type {Inventory} from '../../src/cluster/inventory/inventory.js'
import {expectedObjects, listExpected} from '../../src/health/expected-objects.js'
import type {HealthSnapshot} from '../../src/health/health-snapshot.js'
import {observedObject} from '../../src/health/observed-object.js'
import {nameOf, objectKey} from '../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../src/kubernetes/kubernetes-object.js'
import {asObject, type JsonObject} from '../../src/yaml/json-value.js'

const ID = {namespace: 'infra', name: 'sql'}

export const record: KubernetesObject = {
  apiVersion: 'packages.crossplane.io/v1alpha1',
  kind: 'Package',
  metadata: {...ID, uid: 'of-record'},
  spec: {
    version: 'v0.1.0',
    permissionScope: 'Cluster',
    customresourcedefinitions: [{apiVersion: 'sql.example.org/v1', kind: 'Database'}],
    permissions: {
      rules: [
        {apiGroups: [''], resources: ['secrets', 'events'], verbs: ['*']},
        {apiGroups: ['sql.example.org'], resources: ['databases'], verbs: ['*']},
      ],
    },
    controller: {
      deployment: {name: '', spec: {template: {spec: {containers: [{name: 'main', image: 'a:1'}]}}}},
    },
  },
}

export const crd: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'databases.sql.example.org',
    uid: 'of-crd',
    labels: {
      'namespace.crossplane.io/infra': 'true',
      'parent.packages.crossplane.io/infra-sql': 'true',
    },
  },
  spec: {
    group: 'sql.example.org',
    names: {kind: 'Database', plural: 'databases'},
    versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}],
  },
  status: {
    conditions: [
      {type: 'NamesAccepted', status: 'True'},
      {type: 'Established', status: 'True'},
    ],
  },
}

/** The objects of the record as a cluster has them, by a short name. */
export const LIVE: Readonly<Record<string, KubernetesObject>> = Object.fromEntries(
  listExpected(expectedObjects(record)).map(object => [shortName(object), withStatus(object)]),
)

function shortName({kind, metadata: {name}}: KubernetesObject): string {
  return kind === 'ClusterRole' ? (name.split(':').at(-1) ?? '') : kind
}

function withStatus(object: KubernetesObject): KubernetesObject {
  const metadata = {...object.metadata, uid: `of-${shortName(object)}`}
  if (object.kind !== 'Deployment') return {...object, metadata}
  const annotations = {'deployment.kubernetes.io/revision': '1'}
  const status = {observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1}
  return {...object, metadata: {...metadata, generation: 1, annotations}, status}
}

/** An install that works, with other objects in place of its own; null removes one. */
export function snapshotWith(
  objects: Readonly<Record<string, KubernetesObject | null>> = {},
  more: Partial<HealthSnapshot> = {},
): HealthSnapshot {
  const {crd: otherCrd = crd, record: otherRecord = record, ...others} = objects
  const live = Object.values({...LIVE, ...others}).flatMap(each => each ?? [])
  return {
    install: ID,
    era: 'packages',
    now: 0,
    isBeingChanged: false,
    servesRecords: true,
    isManaged: false,
    ...(otherRecord === null ? {} : {record: otherRecord}),
    crds: otherCrd === null ? [] : [observedObject(otherCrd)],
    live: new Map(live.map(each => [objectKey(nameOf(each)), observedObject(each)])),
    parts: new Map(),
    denials: new Map(),
    ...more,
  }
}

/** An object with other fields; `metadata`, `spec` and `status` are merged. */
export function changed(object: KubernetesObject | undefined, fields: JsonObject): KubernetesObject {
  if (object === undefined) throw new RangeError('no such object')
  const merged = Object.entries(fields).map(([key, value]) =>
    ['metadata', 'spec', 'status'].includes(key)
      ? [key, {...asObject(object[key]), ...asObject(value)}]
      : [key, value],
  )
  return {...object, ...(Object.fromEntries(merged) as JsonObject)}
}

export const DELETED = {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b']}
/** The command of a request, which can name a package of a registry. */
export const REQUESTED = 'kubectl crossplane package install example/sql:v0.1.0 sql --namespace infra'
/** The command of an inventory whose package has no digest. */
export const INSTALL = `${REQUESTED} --packages DIR`

export const inventory = (
  phase: Inventory['phase'] = 'complete',
  objects: Inventory['objects'] = [],
): Inventory => ({
  install: {
    namespace: 'infra',
    name: 'sql',
    era: 'packages',
    scope: 'Cluster',
    mode: 'requested',
    for: {},
    package: {identity: 'example/sql', tag: 'v0.1.0', version: 'v0.1.0', summaryHash: ''},
  },
  phase,
  toolVersion: '1',
  objects,
})
export const request: KubernetesObject = {
  apiVersion: record.apiVersion,
  kind: 'ClusterPackageInstall',
  metadata: {namespace: 'infra', name: 'sql'},
  spec: {package: 'example/sql:v0.1.0'},
}
export const condition = (type: string, status: string, more: JsonObject = {}) => ({
  conditions: [{type, status, ...more}],
})

export const deployment = LIVE.Deployment!
const waiting = changed(deployment, {status: {availableReplicas: 0}})
const owned = (uid: string) => ({ownerReferences: [{uid}]})
const replicaSet = (status: JsonObject = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: {
    namespace: 'infra',
    name: 'sql-1',
    uid: 'of-set',
    annotations: {'deployment.kubernetes.io/revision': '1'},
    ...owned('of-Deployment'),
  },
  status,
})
export const pod = (status: JsonObject): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {namespace: 'infra', name: 'sql-1-a', uid: 'of-pod', ...owned('of-set')},
  status,
})
export const container = (state: JsonObject, more: JsonObject = {}) =>
  pod({phase: 'Pending', containerStatuses: [{name: 'main', image: 'a:1', ready: false, state, ...more}]})

/** A Deployment that is not available, and what it owns. */
export function unavailable(
  pods: readonly KubernetesObject[],
  {status = {}, events = [], live = waiting, lastOutput, eventsDenied}: Unavailable = {},
): HealthSnapshot {
  const owns = {
    replicaSets: [replicaSet(status)],
    pods,
    events,
    ...(lastOutput === undefined ? {} : {lastOutput}),
    ...(eventsDenied === undefined ? {} : {eventsDenied}),
  }
  return snapshotWith({Deployment: live}, {parts: new Map([[objectKey(nameOf(live)), owns]])})
}
interface Unavailable {
  readonly status?: JsonObject
  readonly events?: readonly KubernetesObject[]
  readonly live?: KubernetesObject
  readonly lastOutput?: string
  readonly eventsDenied?: string
}

export const failedMount: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: {name: 'a'},
  reason: 'FailedMount',
  message: 'secret "a" not found',
  involvedObject: {uid: 'of-pod'},
}
export const stalled = changed(waiting, {
  status: condition('Progressing', 'False', {reason: 'ProgressDeadlineExceeded'}),
})
