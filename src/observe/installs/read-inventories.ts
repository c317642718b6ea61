import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {INVENTORY_SELECTOR} from '../../cluster/inventory/inventory-config-maps.js'
import {NamespaceInventories} from '../../cluster/inventory/namespace-inventories.js'
import {CrossplaneError} from '../../errors.js'
import type {ClusterSnapshot, UnreadableInventory} from '../../plan/cluster/cluster-snapshot.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** The number of ConfigMaps, of any content, that fit into the response to a request. */
const PAGE_SIZE = 25

/** The inventories of a cluster. */
export type ReadInventories = Pick<ClusterSnapshot, 'inventories' | 'unreadable'>

/** Reads the inventories of a cluster, or of one namespace. Throws the errors of the API. */
export async function readInventories(api: ClusterApi, namespace?: string): Promise<ReadInventories> {
  const inventories: Inventory[] = []
  const unreadable: UnreadableInventory[] = []
  for await (const each of inventoriesIn(api, namespace)) {
    if ('message' in each) unreadable.push(each)
    else inventories.push(each)
  }
  return {inventories, unreadable}
}

/**
 * Reads the same inventories one by one, so that a broken one does not hide others. One list has all parts as of one
 * moment, and those of a namespace in a row, so that only these are kept in memory. Throws the errors of the API.
 */
export async function* inventoriesIn(
  api: ClusterApi,
  namespace: string | undefined,
): AsyncIterable<Inventory | UnreadableInventory> {
  const options = {namespace, labelSelector: INVENTORY_SELECTOR, pageSize: PAGE_SIZE}
  let parts = new NamespaceInventories('')
  for await (const configMap of api.list(CONFIG_MAP, options)) {
    const {namespace: place = ''} = configMap.metadata
    if (place !== parts.namespace) {
      yield* readEach(parts)
      parts = new NamespaceInventories(place)
    }
    parts.add(configMap)
  }
  yield* readEach(parts)
}

function* readEach(parts: NamespaceInventories): Iterable<Inventory | UnreadableInventory> {
  for (const first of parts.firsts) yield readOrUnreadable(first, parts)
}

function readOrUnreadable(
  first: KubernetesObject,
  parts: NamespaceInventories,
): Inventory | UnreadableInventory {
  try {
    return parts.read(first)
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'inventory-invalid') throw error
    const {namespace = '', name} = first.metadata
    return {namespace, configMap: name, message: error.message, suggestions: error.suggestions}
  }
}
