import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {continuationsOf, inventoryName, isFirst} from '../../cluster/inventory/inventory-config-maps.js'
import {NamespaceInventories} from '../../cluster/inventory/namespace-inventories.js'
import type {InstallId} from '../../reference/install-id.js'

const CONFIG_MAP = {apiVersion: 'v1', kind: 'ConfigMap'}

/** Reads the ConfigMaps of the inventory of one install, if it has one. Throws the errors of the API. */
export async function readOneInventory(
  install: InstallId,
  api: Pick<ClusterApi, 'get'>,
): Promise<NamespaceInventories> {
  const {namespace} = install
  const parts = new NamespaceInventories(namespace)
  const first = await api.get({...CONFIG_MAP, namespace, name: inventoryName(install)})
  if (first === undefined || !isFirst(first)) return parts
  parts.add(first)
  for (const name of continuationsOf(first)) {
    const configMap = await api.get({...CONFIG_MAP, namespace, name})
    if (configMap !== undefined) parts.add(configMap)
  }
  return parts
}
