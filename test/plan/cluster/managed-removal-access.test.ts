import {expect, it} from '@jest/globals'
import type {Discovery} from '../../../src/cluster/api/discovery.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {managedRemovalAccess} from '../../../src/plan/cluster/access/read-access.js'

const NOTHING_SERVED: Discovery = {
  resources: [],
  unavailable: [],
  find: () => undefined,
  versions: () => [],
}

it('the removal of an install by its package manager requires the permission to list CRDs', () => {
  const inventory: Inventory = {
    install: {namespace: 'team', name: 'db', era: 'packages', scope: 'Cluster', mode: 'requested', for: {}},
    phase: 'complete',
    toolVersion: '',
    objects: [],
  }
  expect(managedRemovalAccess(inventory, {customResources: 'abort'}, NOTHING_SERVED).reviews).toContainEqual({
    verb: 'list',
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
  })
})
