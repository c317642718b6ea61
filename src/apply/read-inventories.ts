import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {continuationsOf, INVENTORY_LABEL, inventoryOf} from '../cluster/inventory/inventory-config-maps.js'
import {CrossplaneError} from '../errors.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** The ConfigMap of an inventory that cannot be read, and why. */
export interface UnreadableInventory {
  readonly namespace: string
  readonly configMap: string
  /** An `inventory-invalid`. */
  readonly error: CrossplaneError
}

/**
 * Reads the inventories of a cluster, or of one namespace. Throws `inventory-invalid` and what the API throws: a
 * command that changes a cluster has to know all that its installs use.
 */
export async function readInventories(api: ClusterApi, namespace?: string): Promise<readonly Inventory[]> {
  const inventories: Inventory[] = []
  for await (const each of inventoriesIn(api, namespace)) {
    if ('error' in each) throw each.error
    inventories.push(each)
  }
  return inventories
}

/** Reads the same, each by itself: one that is broken hides no other. Throws what the API throws. */
export async function* inventoriesIn(
  api: ClusterApi,
  namespace: string | undefined,
): AsyncIterable<Inventory | UnreadableInventory> {
  for await (const first of api.list(CONFIG_MAP, {namespace, labelSelector: `${INVENTORY_LABEL}=first`})) {
    const parts = await continuations(first, api)
    yield readOrUnreadable(first, parts)
  }
}

function readOrUnreadable(
  first: KubernetesObject,
  parts: readonly KubernetesObject[],
): Inventory | UnreadableInventory {
  try {
    return inventoryOf(first, parts)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'inventory-invalid') throw error
    const {namespace = '', name} = first.metadata
    return {namespace, configMap: name, error}
  }
}

async function continuations(first: KubernetesObject, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const {namespace} = first.metadata
  const found = await Promise.all(
    continuationsOf(first).map(name => api.get({...CONFIG_MAP, namespace, name})),
  )
  return found.flatMap(each => each ?? [])
}
