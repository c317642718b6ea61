import {describe, expect, it} from '@jest/globals'
import {claimManager, CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import type {Inventory} from '../../../../src/cluster/inventory/inventory.js'
import {objectKey} from '../../../../src/kubernetes/object-key.js'
import type {ClusterSnapshot} from '../../../../src/plan/cluster/state/cluster-snapshot.js'
import {isLost, lostScope} from '../../../../src/plan/cluster/crds/lost-instances.js'
import {sharedInstances} from '../../../../src/plan/cluster/uninstall/shared-instances.js'
import {UNKNOWN_CLUSTER} from '../../../../src/plan/cluster/access/read-access.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'caches.demo.example.org',
}
const KEY = objectKey(CRD)

function inventoryOf(namespace: string, {created = false} = {}): Inventory {
  const install = {
    namespace,
    name: 'cache',
    era: 'packages',
    scope: 'Cluster',
    mode: 'requested',
    for: {},
  } as const
  const objects = [{...CRD, uid: 'u1', ...(created ? {created} : {})}]
  return {install, phase: 'complete', toolVersion: '1', objects}
}

/** A CRD with the claims of installs, and labels. */
function crdOf(claiming: readonly string[], labels: Readonly<Record<string, string>> = {}): KubernetesObject {
  const managers = claiming.map(namespace => claimManager({namespace, name: 'cache'}))
  const managedFields = [CONTENT_MANAGER, ...managers].map(manager => ({manager, operation: 'Apply'}))
  return {
    ...{apiVersion: CRD.apiVersion, kind: CRD.kind},
    metadata: {name: CRD.name, uid: 'u1', labels, managedFields},
    spec: {group: 'demo.example.org', names: {kind: 'Cache'}, versions: [{name: 'v1', served: true}]},
  }
}

function snapshotOf(crd: KubernetesObject, facts: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  const object = {apiVersion: 'demo.example.org/v1', kind: 'Cache', namespace: 'b', name: 'mine'}
  const instances = new Map([[KEY, {total: 1, first: [], listed: [{object, uid: 'i1'}]}]])
  return {...UNKNOWN_CLUSTER, live: new Map([[KEY, crd]]), instances, ...facts}
}

const messages = (removed: readonly Inventory[], snapshot: ClusterSnapshot) =>
  sharedInstances(removed, snapshot).map(({rule, message}) => `${rule}: ${message}`)

const RECORD = {namespace: 'b', name: 'other', kinds: ['demo.example.org Cache']}

describe('the deletion of custom resources', () => {
  it('is accepted for a CRD that only the install claims or created', () => {
    expect(messages([inventoryOf('a')], snapshotOf(crdOf(['a'])))).toEqual([])
    expect(messages([inventoryOf('a', {created: true})], snapshotOf(crdOf([])))).toEqual([])
  })

  it('is accepted beside an install whose inventory tells the namespaces that it serves', () => {
    const inventories = [inventoryOf('a'), inventoryOf('b')]
    expect(messages([inventoryOf('a')], snapshotOf(crdOf(['a', 'b']), {inventories}))).toEqual([])
  })

  it('is rejected beside a package record without an inventory', () => {
    const snapshot = snapshotOf(crdOf(['a']), {recorded: [RECORD]})
    expect(messages([inventoryOf('a')], snapshot)).toEqual([
      'instances-shared: custom resources of caches.demo.example.org are not deleted: b/other can also serve them',
    ])
  })

  it('is rejected beside a claim of an unknown install', () => {
    const snapshot = snapshotOf(crdOf(['a'], {'parent.packages.crossplane.io/b-other': 'true'}))
    expect(messages([inventoryOf('a')], snapshot)).toEqual([
      expect.stringContaining('parent.packages.crossplane.io/b-other can also serve them'),
    ])
  })

  it('is rejected for a CRD that only an inventory names', () => {
    expect(messages([inventoryOf('a')], snapshotOf(crdOf([])))).toEqual([
      'instances-shared: custom resources of caches.demo.example.org are not deleted: the CRD has no claim of the install',
    ])
  })
})

describe('a CRD that a package manager deletes', () => {
  it('takes the custom resources of all namespaces with it, also where the install did not create it', () => {
    const install = {...inventoryOf('a').install, scope: 'Namespaced'} as const
    const inventory = {...inventoryOf('a'), install}
    const uses = snapshotOf(crdOf(['a']))
    const elsewhere = {apiVersion: '', kind: '', metadata: {namespace: 'b', name: 'mine'}}
    const isLostWith = (isManaged: boolean) => {
      const scope = lostScope(CRD, [inventory], uses, {isManaged})
      return scope !== undefined && isLost(elsewhere, scope)
    }
    expect([isLostWith(true), isLostWith(false)]).toEqual([true, false])
  })
})
