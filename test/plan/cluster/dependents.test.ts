import {describe, expect, it} from '@jest/globals'
import {claimManager} from '../../../src/cluster/claims.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import type {ClusterSnapshot} from '../../../src/plan/cluster/state/cluster-snapshot.js'
import {UNKNOWN_CLUSTER} from '../../../src/plan/cluster/access/read-access.js'
import {uninstallImpact} from '../../../src/plan/cluster/uninstall/uninstall-impact.js'
import type {PermissionScope} from '../../../src/unpack/package.js'

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  name: 'caches.demo.example.org',
}

function inventoryOf(id: string, scope: PermissionScope = 'Cluster', by: readonly string[] = []): Inventory {
  const [namespace = '', name = ''] = id.split('/')
  const required = Object.fromEntries(by.map(each => [each, ['caches.demo.example.org/v1']]))
  return {
    install: {namespace, name, era: 'packages', scope, mode: 'requested', for: required},
    phase: 'complete',
    toolVersion: '1',
    objects: [{...CRD, uid: 'u1'}],
  }
}

const record = (id: string, ...requires: readonly string[]) => {
  const [namespace = '', name = ''] = id.split('/')
  return {namespace, name, kinds: [], requires}
}

function dependents(removed: Inventory, {inventories = [], recorded = []}: Partial<ClusterSnapshot>) {
  const claiming = [removed, ...inventories].map(({install}) => claimManager(install))
  const managedFields = claiming.map(manager => ({manager, operation: 'Apply'}))
  const crd = {
    ...{apiVersion: CRD.apiVersion, kind: CRD.kind},
    metadata: {name: CRD.name, uid: 'u1', managedFields},
    spec: {group: 'demo.example.org', names: {kind: 'Cache', plural: 'caches'}},
  }
  const live = new Map([[objectKey(CRD), crd]])
  const all = [removed, ...inventories]
  const snapshot = {...UNKNOWN_CLUSTER, live, recorded, inventories: all}
  return uninstallImpact([removed], snapshot).dependents.map(
    ({install, crds}) => `${install}: ${crds.join()}`,
  )
}

describe('the dependents of an install', () => {
  const REQUIRED = inventoryOf('a/cache', 'Cluster', ['b/app'])
  const PLAIN = inventoryOf('a/cache')

  it.each<[string, Inventory, Partial<ClusterSnapshot>, readonly string[]]>([
    [
      'one with an inventory',
      REQUIRED,
      {inventories: [inventoryOf('b/app')]},
      ['b/app: caches.demo.example.org/v1'],
    ],
    [
      'one that only a request names',
      REQUIRED,
      {recorded: [record('b/app')]},
      ['b/app: caches.demo.example.org/v1'],
    ],
    ['none that is gone', REQUIRED, {}, []],
    [
      'one whose record requires a CRD',
      PLAIN,
      {recorded: [record('b/app', 'dbs.demo.example.org/v1', 'caches.demo.example.org/v1')]},
      ['b/app: caches.demo.example.org/v1'],
    ],
    [
      'one that names the kind',
      PLAIN,
      {recorded: [record('b/app', 'cache.demo.example.org')]},
      ['b/app: cache.demo.example.org'],
    ],
    [
      'one that requires the group',
      PLAIN,
      {recorded: [record('b/app', '*.demo.example.org/v1')]},
      ['b/app: *.demo.example.org/v1'],
    ],
    ['none that requires another CRD', PLAIN, {recorded: [record('b/app', 'dbs.demo.example.org/v1')]}, []],
    ['not the install itself', PLAIN, {recorded: [record('a/cache', 'caches.demo.example.org/v1')]}, []],
    [
      'none that another install serves',
      PLAIN,
      {
        recorded: [record('b/app', 'caches.demo.example.org/v1')],
        inventories: [inventoryOf('b/other', 'Namespaced')],
      },
      [],
    ],
    [
      'one that only an install of another namespace serves',
      PLAIN,
      {
        recorded: [record('b/app', 'caches.demo.example.org/v1')],
        inventories: [inventoryOf('c/other', 'Namespaced')],
      },
      ['b/app: caches.demo.example.org/v1'],
    ],
    [
      'each once, with what its inventory has',
      REQUIRED,
      {recorded: [record('b/app', 'caches.demo.example.org/v1')]},
      ['b/app: caches.demo.example.org/v1'],
    ],
  ])('are %s', (_, removed, world, want) => {
    expect(dependents(removed, world)).toEqual(want)
  })
})
