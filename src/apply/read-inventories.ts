import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {continuationsOf, INVENTORY_LABEL, inventoryOf} from '../cluster/inventory/inventory-config-maps.js'
import {CrossplaneError, type ErrorCode} from '../errors.js'
import type {ClusterSnapshot, UnreadableInventory} from '../plan/cluster/cluster-snapshot.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** The inventories of a cluster. */
export type ReadInventories = Pick<ClusterSnapshot, 'inventories' | 'unreadable'>

/** Reads the inventories of a cluster, or of one namespace. Throws what the API throws. */
export async function readInventories(api: ClusterApi, namespace?: string): Promise<ReadInventories> {
  const inventories: Inventory[] = []
  const unreadable: UnreadableInventory[] = []
  for await (const each of inventoriesIn(api, namespace)) {
    if ('message' in each) unreadable.push(each)
    else inventories.push(each)
  }
  return {inventories, unreadable}
}

/** Reads the same, each by itself: one that is broken hides no other. Throws what the API throws. */
export async function* inventoriesIn(
  api: ClusterApi,
  namespace: string | undefined,
): AsyncIterable<Inventory | UnreadableInventory> {
  for await (const first of api.list(CONFIG_MAP, {namespace, labelSelector: `${INVENTORY_LABEL}=first`})) {
    yield await readOrUnreadable(first, api)
  }
}

/** Why an inventory is not read; anything else ends the command. */
const UNREADABLE: readonly ErrorCode[] = ['inventory-invalid', 'cluster-denied']

async function readOrUnreadable(
  first: KubernetesObject,
  api: ClusterApi,
): Promise<Inventory | UnreadableInventory> {
  try {
    return inventoryOf(first, await continuations(first, api))
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !UNREADABLE.includes(error.code)) throw error
    const {namespace = '', name} = first.metadata
    return {namespace, configMap: name, message: error.message, suggestions: error.suggestions}
  }
}

async function continuations(first: KubernetesObject, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const {namespace} = first.metadata
  const found = await Promise.all(
    continuationsOf(first).map(name => api.get({...CONFIG_MAP, namespace, name})),
  )
  return found.flatMap(each => each ?? [])
}
