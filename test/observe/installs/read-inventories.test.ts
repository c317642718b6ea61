import {expect, it} from '@jest/globals'
import type {ListOptions} from '../../../src/cluster/api/cluster-api.js'
import {inventoryConfigMaps} from '../../../src/cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../../../src/cluster/inventory/inventory.js'
import {inventoryHash, witnessOf} from '../../../src/cluster/inventory/witness.js'
import type {ObjectName} from '../../../src/kubernetes/object-name.js'
import {inventoriesIn} from '../../../src/observe/installs/read-inventories.js'

const INSTALL = {namespace: 'web', name: 'web'}

const inventory: Inventory = {
  install: {...INSTALL, era: 'packages', scope: 'Cluster', mode: 'requested', for: {}},
  phase: 'complete',
  toolVersion: '1',
  objects: [],
}

const role = {
  ...INSTALL,
  era: 'packages' as const,
  role: 'package:web:web:v1.0.0:system',
  uid: '1',
  isApplied: true,
  witness: witnessOf(inventory, [inventoryHash(inventory)]),
}

/** A server on which a tenant keeps ConfigMaps of a megabyte without end, before the namespace of an install. */
class FloodedApi {
  sent = 0

  // oxlint-disable-next-line typescript/require-await -- the port is asynchronous
  async *list(_: unknown, {namespace = 'team-a'}: ListOptions = {}) {
    const text = 'x'.repeat(1024 * 1024)
    for (; namespace === 'team-a'; this.sent++) {
      const metadata = {
        namespace,
        name: `flood-${this.sent}`,
        labels: {'kubectl-crossplane/inventory': 'more'},
      }
      yield {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {text}, binaryData: {text}}
    }
  }

  get({name}: ObjectName) {
    return Promise.resolve(inventoryConfigMaps(inventory).find(({metadata}) => metadata.name === name))
  }
}

it('reads the inventories of system roles after 65 MiB of other ConfigMaps', async () => {
  const api = new FloodedApi()
  const seen = []
  for await (const each of inventoriesIn(api, undefined, new Map([['web/web', [role]]]))) seen.push(each)
  expect(seen).toEqual([
    {standing: 'flooded', namespace: 'team-a'},
    {standing: 'witnessed', inventory},
  ])
  expect(api.sent).toBe(32)
})
