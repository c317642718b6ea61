import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CONTENT_MANAGER} from '../cluster/claims.js'
import {
  continuationSelector,
  inventoryConfigMaps,
  inventoryName,
  isContinuation,
} from '../cluster/inventory/inventory-config-maps.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import type {InstallId} from '../render/install-set.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** Writes an inventory, then removes the ConfigMaps that only previous inventories had. */
export async function writeInventory(inventory: Inventory, api: ClusterApi): Promise<void> {
  const {install} = inventory
  const configMaps = inventoryConfigMaps(inventory)
  for (const configMap of configMaps) {
    await api.apply(configMap, {manager: CONTENT_MANAGER, force: true})
  }
  const writtenNames = new Set(configMaps.map(({metadata}) => metadata.name))
  const existing = await continuations(install, api)
  await remove(
    existing.filter(name => !writtenNames.has(name)),
    install,
    api,
  )
}

/**
 * Removes an inventory, its first ConfigMap last, because it leads to the others if the removal is interrupted. It is
 * written without objects before, so that it can be read without the others.
 */
export async function removeInventory(inventory: Inventory, api: ClusterApi): Promise<void> {
  const {install} = inventory
  if ((await continuations(install, api)).length > 0) {
    await writeInventory({...inventory, phase: 'changing', objects: []}, api)
  }
  await remove([inventoryName(install)], install, api)
}

/** The names of the ConfigMaps that continue an inventory, also those that an interrupted run left behind. */
async function continuations(install: InstallId, api: ClusterApi): Promise<readonly string[]> {
  const {namespace} = install
  const names: string[] = []
  const options = {namespace, labelSelector: continuationSelector(install), metadataOnly: true}
  for await (const {metadata} of api.list(CONFIG_MAP, options)) names.push(metadata.name)
  return names.filter(name => isContinuation(name, inventoryName(install)))
}

async function remove(names: readonly string[], {namespace}: InstallId, api: ClusterApi): Promise<void> {
  for (const name of names) await api.delete({...CONFIG_MAP, namespace, name})
}
