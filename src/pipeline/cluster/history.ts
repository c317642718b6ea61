import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory, Revision} from '../../cluster/inventory/inventory.js'
import {presentRevision} from '../../cluster/inventory/revisions.js'
import {CrossplaneError} from '../../errors.js'
import {type ReadInventories, readShownInventories} from '../../observe/installs/read-inventories.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {isInventoryOf} from '../../plan/cluster/inventories/unreadable-inventories.js'
import {ignoredError} from '../../plan/cluster/inventories/ignored-inventories.js'
import type {InstallId} from '../../reference/install-id.js'
import {escaped, nearest} from '../../text.js'
import {keptByCore} from './core/core-revisions.js'

/** Lists the revisions of an install, oldest first. Throws as `knownInventory` does. */
export async function installHistory(id: InstallId, api: ClusterApi): Promise<readonly Revision[]> {
  return revisionsOf(await knownInventory(id, await readShownInventories(api, id.namespace), api))
}

/**
 * Finds the inventory of an install. Throws `not-found`, `inventory-invalid`, the errors of the API, and `unsupported` for the name of a
 * package for a current Crossplane.
 */
export async function knownInventory(
  id: InstallId,
  read: ReadInventories,
  api: ClusterApi,
): Promise<Inventory> {
  try {
    return inventoryOf(id, read)
  } catch (error) {
    const isMissing = error instanceof CrossplaneError && error.code === 'not-found'
    throw (isMissing ? await keptByCore(id.name, api) : undefined) ?? error
  }
}

/** The revisions of an inventory; its present state is the only one of an older inventory. */
export function revisionsOf(inventory: Inventory): readonly Revision[] {
  return inventory.revisions ?? [presentRevision(inventory.install)]
}

function inventoryOf(id: InstallId, read: ReadInventories): Inventory {
  const intact = read.inventories.find(({install}) => isSameInstall(install, id))
  if (intact !== undefined) return intact
  const broken = read.unreadable.find(inventory => isInventoryOf(inventory, id))
  if (broken !== undefined) {
    throw new CrossplaneError('inventory-invalid', broken.message, {suggestions: broken.suggestions})
  }
  const ignored = read.ignored.find(inventory => isSameInstall(inventory, id))
  if (ignored !== undefined) throw ignoredError(ignored, read)
  throw notInstalled(id, read.inventories)
}

function notInstalled({namespace, name}: InstallId, inventories: readonly Inventory[]): CrossplaneError {
  const names = inventories.filter(({install}) => install.namespace === namespace)
  const near = nearest(
    name,
    names.map(({install}) => install.name),
  )
  const message = `install ${escaped(`${namespace}/${name}`)} not found`
  return new CrossplaneError('not-found', message, {
    suggestions: [
      near === undefined
        ? 'kubectl crossplane package list --all-namespaces'
        : `Did you mean ${escaped(`${namespace}/${near}`)}?`,
    ],
  })
}
