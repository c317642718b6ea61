import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {
  continuationsOf,
  INVENTORY_LABEL,
  inventoryConfigMaps,
  inventoryName,
} from '../cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import type {InstallId} from '../render/install-set.js'
import {asText} from '../yaml/json-value.js'

/** Writes an inventory, then removes the ConfigMaps that only the previous one consisted of. */
export async function writeInventory(inventory: Inventory, api: ClusterApi): Promise<void> {
  const {install} = inventory
  const before = await partsOf(install, api)
  const configMaps = inventoryConfigMaps(inventory)
  for (const configMap of configMaps) {
    await api.apply(configMap, {manager: CONTENT_MANAGER, force: true})
  }
  const kept = new Set(configMaps.map(({metadata}) => metadata.name))
  await remove(
    before.filter(name => !kept.has(name)),
    install,
    api,
  )
}

/** Removes an inventory, the ConfigMap that begins it first. */
export async function removeInventory(install: InstallId, api: ClusterApi): Promise<void> {
  const parts = await partsOf(install, api)
  await remove([inventoryName(install), ...parts], install, api)
}

async function partsOf(install: InstallId, api: ClusterApi): Promise<readonly string[]> {
  const {namespace} = install
  const name = inventoryName(install)
  const first = await api.get({apiVersion: 'v1', kind: 'ConfigMap', namespace, name})
  return first === undefined || asText(first.metadata.labels?.[INVENTORY_LABEL]) !== 'first'
    ? []
    : continuationsOf(first)
}

async function remove(names: readonly string[], {namespace}: InstallId, api: ClusterApi): Promise<void> {
  for (const name of names) await api.delete({apiVersion: 'v1', kind: 'ConfigMap', namespace, name})
}
