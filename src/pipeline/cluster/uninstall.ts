import {observeInstall} from '../../apply/observe-install.js'
import {observeManagedInstall} from '../../apply/observe-managed-install.js'
import {nameIn, uidIn} from '../../apply/operation-parts.js'
import {readInventories} from '../../apply/read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
import {type ManagedInstall, planRequestRemoval} from '../../plan/cluster/plan-request-removal.js'
import {planUninstall} from '../../plan/cluster/plan-uninstall.js'
import {isSameInstall} from '../../plan/cluster/ownership.js'
import {isInventoryOf} from '../../plan/cluster/unreadable-inventories.js'
import {packageAccess, removalAccess, UNKNOWN_CLUSTER} from '../../plan/cluster/read-access.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import type {Plan} from '../../plan/plan.js'
import type {InstallId} from '../../render/install-set.js'
import type {ClusterChange} from './cluster-change.js'
import {readAllowed} from './expect-allowed.js'

/**
 * Decides how an install is removed; nothing is left to do for a saved plan that is carried out. Throws `not-found` if
 * neither an inventory nor a package manager has the install.
 */
export async function prepareUninstall(
  id: InstallId,
  api: ClusterApi,
  saved?: SavedClusterPlan,
): Promise<ClusterChange> {
  const discovery = await api.discover()
  const decide = async () => {
    const found = await readAllowed(
      () => findInstall(id, api),
      () => Promise.resolve(packageAccess(discovery)),
      api,
    )
    if (found === undefined) {
      if (saved === undefined || !(await isCarriedOut(saved, api))) throw notFound(id)
      return {plan: NOTHING_LEFT, snapshot: UNKNOWN_CLUSTER, firstOwners: []}
    }
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

async function findInstall(id: InstallId, api: ClusterApi): Promise<Inventory | ManagedInstall | undefined> {
  const {inventories, unreadable} = await readInventories(api, id.namespace)
  const found = inventories.find(({install}) => isSameInstall(install, id))
  if (found !== undefined) return found
  const broken = unreadable.find(each => isInventoryOf(each, id))
  if (broken !== undefined) {
    throw new CrossplaneError('inventory-invalid', broken.message, {suggestions: broken.suggestions})
  }
  return await observeManagedInstall(id, api)
}

const NOTHING_LEFT: Plan = {operations: [], unchanged: 0, rejections: []}

/** Reports whether none of the objects exist that a saved plan deletes. */
async function isCarriedOut({operations}: SavedClusterPlan, api: ClusterApi): Promise<boolean> {
  for (const operation of operations.filter(({action}) => action === 'delete')) {
    const live = await api.get(nameIn(operation))
    if (live !== undefined && live.metadata.uid === uidIn(operation)) return false
  }
  return true
}

function notFound({namespace, name}: InstallId): CrossplaneError {
  return new CrossplaneError('not-found', `install ${namespace}/${name} not found`, {
    suggestions: ['kubectl crossplane package list --all-namespaces'],
  })
}
