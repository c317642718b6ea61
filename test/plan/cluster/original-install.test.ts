import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER, ORIGINAL_MANAGER} from '../../../src/cluster/claims.js'
import {leftoverClaims} from '../../../src/plan/cluster/crds/leftover-claims.js'
import {isOriginal, withFinalizers} from '../../../src/plan/cluster/state/original-objects.js'
import {rebuiltInventory} from '../../../src/plan/cluster/inventories/rebuilt-inventory.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import {ERAS} from '../../../src/render/era.js'
import {claimLabels, MANAGED_BY_LABEL, parentLabels, recordLabels} from '../../../src/render/labels.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'

const ERA = ERAS.packages
const APP = {namespace: 'a', name: 'app', era: 'packages'} as const
const OWN = 'parent.packages.crossplane.io/a-app'
const SPACE = 'namespace.crossplane.io/a'

const managed = (manager: string, operation: string, fields: JsonObject = {}) => ({
  manager,
  operation,
  fieldsV1: fields,
})
const labelFields = (...labels: readonly string[]) => ({
  'f:metadata': {'f:labels': Object.fromEntries(labels.map(label => [`f:${label}`, {}]))},
})

function crd(labels: readonly string[], managedFields: readonly JsonObject[]): KubernetesObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'xs.example.org',
      uid: 'u1',
      labels: {
        [MANAGED_BY_LABEL]: ERA.managedBy,
        ...Object.fromEntries(labels.map(label => [label, 'true'])),
      },
      managedFields,
    },
  }
}

describe('leftoverClaims', () => {
  const written = managed(ORIGINAL_MANAGER, 'Update', labelFields(OWN, SPACE))
  const recorded = (...ids: readonly string[]) =>
    ids.map(id => {
      const [namespace = '', name = ''] = id.split('/')
      return {namespace, name, kinds: []}
    })

  it.each([
    {
      name: 'that the original manager wrote',
      reason: 'an empty apply leaves them',
      in: crd([OWN, SPACE], [written]),
      want: [SPACE, OWN],
    },
    {
      name: 'that the install applied itself',
      reason: 'an empty apply removes them',
      in: crd([OWN, SPACE], [managed(claimManager(APP), 'Apply', labelFields(OWN, SPACE))]),
      want: [],
    },
    {
      name: 'that both wrote',
      reason: 'the original manager keeps them',
      in: crd([OWN, SPACE], [written, managed(claimManager(APP), 'Apply', labelFields(OWN, SPACE))]),
      want: [SPACE, OWN],
    },
    {
      name: 'that another tool applies',
      reason: 'it would apply them again',
      in: crd([OWN], [managed('flux', 'Apply', labelFields(OWN))]),
      want: [],
    },
    {
      name: 'without managed fields',
      reason: 'old servers record none',
      in: crd([OWN, SPACE], []),
      want: [SPACE, OWN],
    },
    {
      name: 'but for the namespace of another claim',
      reason: 'the other install has it, too',
      in: crd([OWN, SPACE, 'parent.packages.crossplane.io/a-other'], [written]),
      want: [OWN],
    },
    {
      name: 'but for the namespace of a claim that may be of it',
      reason: 'a-b-c can be of a or of a-b',
      in: crd([OWN, SPACE, 'parent.stacks.crossplane.io/a-b-c'], [written]),
      want: [OWN],
    },
    {
      name: 'also beside a claim that is known to be of another namespace',
      reason: 'a record names its install',
      in: crd([OWN, SPACE, 'parent.packages.crossplane.io/a-b-c'], [written]),
      records: ['a-b/c'],
      want: [SPACE, OWN],
    },
    {
      name: 'that are on the CRD',
      reason: 'an interrupted run removed the others',
      in: crd([SPACE], [written]),
      want: [SPACE],
    },
  ])('returns the labels $name', ({in: live, records = [], want}) => {
    expect(leftoverClaims(live, APP, {inventories: [], recorded: recorded(...records)})).toEqual(want)
  })
})

describe('isOriginal', () => {
  const meta = (more: JsonObject): KubernetesObject['metadata'] => ({
    name: 'app',
    namespace: 'a',
    managedFields: [managed(ORIGINAL_MANAGER, 'Update')],
    ...more,
  })
  const account = (more: JsonObject): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: meta(more),
  })
  const owner = (more: JsonObject = {}) => [
    {apiVersion: ERA.apiVersion, kind: ERA.kinds.record, name: 'app', uid: 'u1', ...more},
  ]
  const request = {group: ERA.group, version: ERA.version, kind: ERA.kinds.clusterRequest}
  const spec = {'f:spec': {}}

  it.each<[string, KubernetesObject, boolean]>([
    ['labels of the record', account({labels: recordLabels(ERA, APP)}), true],
    ['labels of the request', account({labels: parentLabels({...request, ...APP})}), true],
    ['labels of another era', account({labels: recordLabels(ERAS.stacks, APP)}), false],
    ['labels of another install', account({labels: recordLabels(ERA, {...APP, name: 'x'})}), false],
    ['the record as its owner', account({ownerReferences: owner()}), true],
    ['another record as its owner', account({ownerReferences: owner({name: 'x'})}), false],
    [
      'a record of another namespace as its owner',
      account({ownerReferences: owner(), namespace: 'b'}),
      false,
    ],
    [
      'labels, and was written by another program',
      account({labels: recordLabels(ERA, APP), managedFields: [managed('helm', 'Update')]}),
      false,
    ],
    ['labels, and no managed fields', account({labels: recordLabels(ERA, APP), managedFields: []}), true],
    [
      'the name of the record',
      {apiVersion: ERA.apiVersion, kind: ERA.kinds.record, metadata: meta({})},
      true,
    ],
    [
      'the name of another record',
      {apiVersion: ERA.apiVersion, kind: ERA.kinds.record, metadata: meta({name: 'x'})},
      false,
    ],
    ['a specification by the manager', crd([], [managed(ORIGINAL_MANAGER, 'Update', spec)]), true],
    [
      'a specification by the manager, and was taken over since',
      crd([], [managed(ORIGINAL_MANAGER, 'Update', spec), managed(CONTENT_MANAGER, 'Apply', spec)]),
      true,
    ],
    ['only labels by the manager', crd([], [managed(ORIGINAL_MANAGER, 'Update', labelFields(OWN))]), false],
    [
      'a specification by others, too',
      crd([], [managed(ORIGINAL_MANAGER, 'Update', spec), managed('kubectl', 'Update', spec)]),
      false,
    ],
  ])('judges an object with %s', (_, live, want) => {
    expect(isOriginal(live, APP)).toBe(want)
  })
})

describe('withFinalizers', () => {
  const named = (kind: string, apiVersion: string = ERA.apiVersion) => ({
    apiVersion,
    kind,
    namespace: 'a',
    name: 'app',
  })
  const {record, request} = ERA.finalizers

  it.each<[string, ReturnType<typeof named>, readonly string[], readonly string[] | undefined]>([
    ['a record', named(ERA.kinds.record), [record], [record]],
    ['a request', named(ERA.kinds.namespacedRequest), ['foregroundDeletion', request], [request]],
    ['a record that has another finalizer', named(ERA.kinds.record), ['example.org/wait'], undefined],
    [
      'a record that has that of the other era',
      named(ERA.kinds.record),
      [ERAS.stacks.finalizers.record],
      undefined,
    ],
    ['an object of another API', named('Package', 'example.org/v1'), [record], undefined],
  ])('removes only the finalizer of the original manager from %s', (_, object, finalizers, want) => {
    const {apiVersion, kind, ...metadata} = object
    const live = new Map([[objectKey(object), {apiVersion, kind, metadata: {...metadata, finalizers}}]])
    const deletion = {action: 'delete', target: 'cluster', object, reason: 'r'} as const
    expect(withFinalizers([deletion], {live})[0]?.finalizers).toEqual(want)
    expect(withFinalizers([{...deletion, action: 'wait'}], {live})[0]?.finalizers).toBeUndefined()
  })
})

describe('rebuiltInventory', () => {
  const of = (kind: string, apiVersion: string, more: JsonObject = {}): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: {
      name: 'app',
      namespace: 'a',
      uid: 'u1',
      managedFields: [managed(ORIGINAL_MANAGER, 'Update', {'f:spec': {}})],
    },
    ...more,
  })
  const rebuilt = (...found: readonly KubernetesObject[]) => rebuiltInventory(APP, ERA, found)

  it('has the objects that name the install, and no others', () => {
    const claimed = crd(Object.keys(claimLabels(ERA, APP)), [
      managed(ORIGINAL_MANAGER, 'Update', {'f:spec': {}}),
    ])
    const other = crd([OWN], [])
    const found = rebuilt(claimed, other, of('Secret', 'v1'), of('ServiceAccount', 'v1'))
    expect(found?.objects.map(({kind, created}) => [kind, created])).toEqual([
      ['CustomResourceDefinition', true],
    ])
    expect(rebuilt(of('Secret', 'v1'))).toBeUndefined()
  })

  it.each<[string, KubernetesObject, string]>([
    ['a request of the cluster', of(ERA.kinds.clusterRequest, ERA.apiVersion), 'Cluster'],
    ['a request of its namespace', of(ERA.kinds.namespacedRequest, ERA.apiVersion), 'Namespaced'],
    [
      'a record of the cluster',
      of(ERA.kinds.record, ERA.apiVersion, {spec: {permissionScope: 'Cluster'}}),
      'Cluster',
    ],
    ['a record without a scope', of(ERA.kinds.record, ERA.apiVersion), 'Namespaced'],
  ])('has the scope of %s', (_, found, scope) => {
    expect(rebuilt(found)?.install.scope).toBe(scope)
  })
})
