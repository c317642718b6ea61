import {observeInstall} from '../../apply/observe-install.js'
import {observeManagedInstall} from '../../apply/observe-managed-install.js'
import {readInventories} from '../../apply/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
import {type ManagedInstall, planRequestRemoval} from '../../plan/cluster/plan-request-removal.js'
import {planUninstall} from '../../plan/cluster/plan-uninstall.js'
import {isSameInstall} from '../../plan/cluster/ownership.js'
import {isInventoryOf} from '../../plan/cluster/unreadable-inventories.js'
import {packageAccess, removalAccess} from '../../plan/cluster/read-access.js'
import type {InstallId} from '../../render/install-set.js'
import type {ClusterChange} from './cluster-change.js'
import {readAllowed} from './expect-allowed.js'

/** Decides how an install is removed. Throws `not-found` if neither an inventory nor a package manager has it. */
export async function prepareUninstall(id: InstallId, api: ClusterApi): Promise<ClusterChange> {
  const discovery = await api.discover()
  const decide = async () => {
    const found = await readAllowed(
      () => findInstall(id, api),
      () => Promise.resolve(packageAccess(discovery)),
      api,
    )
    const inventory = 'request' in found ? found.inventory : found
    const snapshot = await readAllowed(
      () => observeInstall(inventory, api),
      () => Promise.resolve(removalAccess(inventory, discovery)),
      api,
    )
    const plan = 'request' in found ? planRequestRemoval(found, snapshot) : planUninstall(found, snapshot)
    return {plan, snapshot, firstOwners: []}
  }
  return {decision: await decide(), decide}
}

async function findInstall(id: InstallId, api: ClusterApi): Promise<Inventory | ManagedInstall> {
  const {inventories, unreadable} = await readInventories(api, id.namespace)
  const found = inventories.find(({install}) => isSameInstall(install, id))
  if (found !== undefined) return found
  const broken = unreadable.find(each => isInventoryOf(each, id))
  if (broken !== undefined) {
    throw new CrossplaneError('inventory-invalid', broken.message, {suggestions: broken.suggestions})
  }
  const managed = await observeManagedInstall(id, api)
  if (managed !== undefined) return managed
  throw new CrossplaneError('not-found', `install ${id.namespace}/${id.name} not found`, {
    suggestions: ['kubectl crossplane package list --all-namespaces'],
  })
}
