import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory, Revision} from '../../cluster/inventory/inventory.js'
import {presentRevision} from '../../cluster/inventory/revisions.js'
import {CrossplaneError} from '../../errors.js'
import {type ReadInventories, readShownInventories} from '../../observe/installs/read-inventories.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import {isInventoryOf} from '../../plan/cluster/inventories/unreadable-inventories.js'
import {ignoredError} from '../../plan/cluster/inventories/ignored-inventories.js'
import type {InstallId} from '../../reference/install-id.js'
import {notFound} from '../../reference/named.js'
import type {NamedHistory, NamedPart, NamedQuery} from './installed-format.js'

/** Reads the revisions of an install. Throws `inventory-invalid`, and the errors of the API. */
export async function installHistory(
  {install: id}: NamedQuery,
  api: ClusterApi,
): Promise<NamedPart<NamedHistory>> {
  if (id === undefined) return {}
  const inventory = knownInventory(id, await readShownInventories(api, id.namespace))
  if (!('part' in inventory)) return inventory
  return {part: {kind: 'install', install: {...id, revisions: revisionsOf(inventory.part)}}}
}

type KnownInventory = {readonly part: Inventory} | {readonly absent: CrossplaneError}

/** Finds the inventory of an install. Throws `inventory-invalid`. */
export function knownInventory(id: InstallId, read: ReadInventories): KnownInventory {
  const intact = read.inventories.find(({install}) => isSameInstall(install, id))
  if (intact !== undefined) return {part: intact}
  const broken = read.unreadable.find(inventory => isInventoryOf(inventory, id))
  if (broken !== undefined) {
    throw new CrossplaneError('inventory-invalid', broken.message, {suggestions: broken.suggestions})
  }
  const ignored = read.ignored.find(inventory => isSameInstall(inventory, id))
  if (ignored !== undefined) throw ignoredError(ignored, read)
  return {absent: notFound({kind: 'install', name: `${id.namespace}/${id.name}`})}
}

/** The revisions of an inventory; its present state is the only one of an older inventory. */
export function revisionsOf(inventory: Inventory): readonly Revision[] {
  return inventory.revisions ?? [presentRevision(inventory.install)]
}
