import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {continuationsOf, INVENTORY_LABEL, inventoryOf} from '../cluster/inventory/inventory-config-maps.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** Reads the inventories of a cluster, or of one namespace. Throws `inventory-invalid` and what the API throws. */
export async function readInventories(api: ClusterApi, namespace?: string): Promise<readonly Inventory[]> {
  const inventories: Inventory[] = []
  for await (const first of api.list(CONFIG_MAP, {namespace, labelSelector: `${INVENTORY_LABEL}=first`})) {
    inventories.push(inventoryOf(first, await continuations(first, api)))
  }
  return inventories
}

async function continuations(first: KubernetesObject, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const {namespace} = first.metadata
  const found = await Promise.all(
    continuationsOf(first).map(name => api.get({...CONFIG_MAP, namespace, name})),
  )
  return found.flatMap(each => each ?? [])
}
