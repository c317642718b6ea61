import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {CrossplaneError} from '../../errors.js'
import type {UnreadableInventory} from '../../plan/cluster/state/cluster-snapshot.js'
import {inventoryName} from '../../cluster/inventory/inventory-config-maps.js'
import {isSameInstall} from '../../plan/cluster/state/ownership.js'
import type {InstallId, SetInstall} from '../../render/install-set.js'
import type {ReadInventories} from './read-inventories.js'
import {readOneInventory} from './read-one-inventory.js'

/**
 * Adds the inventories of the installs of a change that do not count otherwise: the command that names an install
 * continues it. Only their lists of objects are taken over, so that they have no revisions; each object still has to show
 * that it belongs to the install.
 * Throws the errors of the API.
 */
export async function withNamed<Read extends ReadInventories>(
  read: Read,
  installs: readonly SetInstall[],
  api: ClusterApi,
): Promise<Read> {
  const isIgnored = (id: InstallId) =>
    read.floodedBy !== undefined || read.ignored.some(inventory => isSameInstall(inventory, id))
  const named = installs.filter(
    setInstall =>
      isIgnored(setInstall) && !read.inventories.some(({install}) => isSameInstall(install, setInstall)),
  )
  if (named.length === 0) return read
  const inventories: Inventory[] = []
  const unreadable: UnreadableInventory[] = []
  for (const install of named) {
    const before = await inventoryIn(install, api)
    if (before === undefined) continue
    if ('message' in before) unreadable.push(before)
    else {
      const {phase, toolVersion, objects} = before
      inventories.push({install: withoutRequest(install), phase, toolVersion, objects, revisions: []})
    }
  }
  return {
    ...read,
    inventories: [...read.inventories, ...inventories],
    unreadable: [...read.unreadable, ...unreadable],
    ignored: read.ignored.filter(inventory => !named.some(id => isSameInstall(id, inventory))),
  }
}

function withoutRequest({request: _request, ...install}: SetInstall): Inventory['install'] {
  return install
}

/** Reads the inventory of one install; undefined if it has none. Throws the errors of the API. */
export async function inventoryIn(
  install: InstallId,
  api: ClusterApi,
): Promise<Inventory | UnreadableInventory | undefined> {
  const parts = await readOneInventory(install, api)
  const [first] = parts.firsts
  if (first === undefined) return undefined
  try {
    const {deleting: _deleting, ...inventory} = parts.read(first).inventory
    return inventory
  } catch (error) {
    if (!(error instanceof CrossplaneError) || error.code !== 'inventory-invalid') throw error
    const {message, suggestions} = error
    return {namespace: install.namespace, configMap: inventoryName(install), message, suggestions}
  }
}
