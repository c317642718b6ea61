import {hasOwnObjects, observeLeftovers} from './observe-leftovers.js'
import {observeManagedInstall, observeOwnInstall} from './observe-managed-install.js'
import {inventoryIn} from './named-inventories.js'
import {type ReadInventories, readInventories, readShownInventories} from './read-inventories.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import type {ClusterSnapshot, UnreadableInventory} from '../../plan/cluster/state/cluster-snapshot.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import type {ManagedInstall} from '../../plan/cluster/uninstall/plan-request-removal.js'
import {hasOriginals, withLeftovers} from '../../plan/cluster/inventories/rebuilt-inventory.js'
import {isInventoryOf} from '../../plan/cluster/inventories/unreadable-inventories.js'
import type {UninstallOptions} from '../../plan/cluster/state/uninstall-options.js'
import {ERAS} from '../../render/era.js'
import type {InstallId} from '../../render/install-set.js'
import {claimLabels} from '../../render/labels.js'
import {ifAllowed} from '../objects/denied-reads.js'

/** An install by its inventory, which is rebuilt if it is lost. */
export interface KnownInstall {
  readonly inventory: Inventory
  readonly isLost: boolean
}

/**
 * Finds an install by its inventory, its request if a package manager carries it out, or its objects. Undefined, too, if it
 * has no inventory, record or request, and the user may neither list other objects nor takes them over. Throws
 * `inventory-invalid` for an inventory that cannot be read.
 */
export async function findKnownInstall(
  id: InstallId,
  {adopt, asManager}: Pick<UninstallOptions, 'adopt' | 'asManager'>,
  api: ClusterApi,
): Promise<KnownInstall | ManagedInstall | undefined> {
  const read = await inventoriesFor(id, api)
  const intact = read.inventories.find(({install}) => isSameInstall(install, id))
  if (intact !== undefined) return await intactInstall(intact, asManager, api)
  const broken = read.unreadable.find(unreadableInventory => isInventoryOf(unreadableInventory, id))
  if (broken !== undefined) throw unreadable(broken)
  const managed = await observeManagedInstall(id, api)
  if (managed !== undefined) return managed
  const isIgnored = read.floodedBy !== undefined || read.ignored.some(ignored => isSameInstall(ignored, id))
  const inventory = isIgnored ? await ignoredInventory(id, api) : undefined
  if (inventory !== undefined) return {inventory, isLost: false}
  const observe = () => observeLeftovers(id, api)
  const rebuilt = await (adopt || (await hasOwnObjects(id, api)) ? observe() : ifAllowed(observe, undefined))
  return rebuilt && {inventory: rebuilt, isLost: true}
}

async function intactInstall(
  inventory: Inventory,
  asManager: UninstallOptions['asManager'],
  api: ClusterApi,
): Promise<KnownInstall | ManagedInstall> {
  const own = asManager === true ? undefined : await observeOwnInstall(inventory, api)
  return own ?? {inventory, isLost: false}
}

/**
 * Reads the inventory of an install that does not count: the user who names the install can remove it. Its objects have to
 * show that they belong to the install, CRDs by a claim. Throws `inventory-invalid`.
 */
async function ignoredInventory(id: InstallId, api: ClusterApi): Promise<Inventory | undefined> {
  const inventory = await inventoryIn(id, api)
  if (inventory === undefined) return undefined
  if ('message' in inventory) throw unreadable(inventory)
  const claims = Object.keys(claimLabels(ERAS[inventory.install.era], id))
  const claimed = new Set<string>()
  for await (const {metadata} of api.list(CRD_KIND, {labelSelector: claims.join(','), metadataOnly: true}))
    claimed.add(metadata.name)
  return {
    ...inventory,
    objects: inventory.objects.filter(object => !isCrd(object) || claimed.has(object.name)),
  }
}

function unreadable({message, suggestions}: UnreadableInventory): CrossplaneError {
  return new CrossplaneError('inventory-invalid', message, {suggestions})
}

/**
 * Reads the inventories of the namespace of an install. A user who may not read roles learns that there is none of the
 * install. Throws the errors of the API.
 */
async function inventoriesFor(id: InstallId, api: ClusterApi): Promise<ReadInventories> {
  const shown = await readShownInventories(api, id.namespace)
  const isShown = shown.inventories.some(({install}) => isSameInstall(install, id))
  return shown.isVerified || !isShown ? shown : await readInventories(api, id.namespace)
}

/** Adds what the original package manager left to the inventory of an install that was taken over, and observes that. */
export async function withOriginals(
  {inventory, isLost}: KnownInstall,
  observed: ClusterSnapshot,
  api: ClusterApi,
  observe: (whole: Inventory) => Promise<ClusterSnapshot>,
): Promise<{readonly whole: Inventory; readonly snapshot: ClusterSnapshot}> {
  const others = observed.inventories.filter(({install}) => !isSameInstall(install, inventory.install))
  const seen = (snapshot: ClusterSnapshot, whole: Inventory) => ({
    whole,
    snapshot: {...snapshot, inventories: [...others, whole]},
  })
  if (isLost || !hasOriginals(inventory, observed)) return seen(observed, inventory)
  const whole = withLeftovers(inventory, await observeLeftovers(inventory.install, api))
  return seen(await observe(whole), whole)
}
