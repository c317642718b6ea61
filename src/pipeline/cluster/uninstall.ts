import {observeInstall} from '../../apply/observe-install.js'
import {readInventories} from '../../apply/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
import {planUninstall} from '../../plan/cluster/plan-uninstall.js'
import {isSameInstall} from '../../plan/cluster/ownership.js'
import type {InstallId} from '../../render/install-set.js'
import type {ClusterChange} from './cluster-change.js'

/** Decides how an install is removed. Throws `not-found` if no inventory has it. */
export async function prepareUninstall(id: InstallId, api: ClusterApi): Promise<ClusterChange> {
  const decide = async () => {
    const inventory = await findInventory(id, api)
    const snapshot = await observeInstall(inventory, api)
    return {plan: planUninstall(inventory, snapshot), snapshot, firstOwners: []}
  }
  return {decision: await decide(), decide}
}

async function findInventory(id: InstallId, api: ClusterApi): Promise<Inventory> {
  const inventories = await readInventories(api, id.namespace)
  const found = inventories.find(({install}) => isSameInstall(install, id))
  if (found !== undefined) return found
  throw new CrossplaneError('not-found', `install ${id.namespace}/${id.name} not found`, {
    suggestions: ['kubectl crossplane package list --all-namespaces'],
  })
}
