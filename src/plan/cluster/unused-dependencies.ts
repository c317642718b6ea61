import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {InstallId} from '../../render/install-set.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {isSameInstall} from './ownership.js'
import {installIdIn} from './uninstall-impact.js'
import {isInventoryOf} from './unreadable-inventories.js'

type Installed = Pick<ClusterSnapshot, 'inventories' | 'unreadable'>

/**
 * Returns the installs that were added only because the removed one, or another of them, requires them, and that no
 * other install requires: dependents before their dependencies.
 */
export function unusedDependencies(removed: Inventory, installed: Installed): readonly Inventory[] {
  const isOneOf = (id: InstallId, inventories: readonly Inventory[]) =>
    inventories.some(({install}) => isSameInstall(install, id))
  let unused = dependenciesOf(removed, installed)
  for (;;) {
    const going = [removed, ...unused]
    const left = unused.filter(each => requirersOf(each, installed).every(id => isOneOf(id, going)))
    if (left.length === unused.length) return unused
    unused = left
  }
}

/** The automatic installs that an install requires, directly or not. */
function dependenciesOf(removed: Inventory, {inventories}: Installed): readonly Inventory[] {
  const found = [removed]
  const isNew = ({install}: Inventory) => !found.some(each => isSameInstall(each.install, install))
  for (const {install} of found) {
    const required = inventories.filter(
      each =>
        each.install.mode === 'auto' &&
        isNew(each) &&
        Object.keys(each.install.for).some(by => isSameInstall(installIdIn(by), install)),
    )
    found.push(...required)
  }
  return found.slice(1)
}

/** The installs that require an install and exist, also if only the name of the inventory is known. */
function requirersOf({install}: Inventory, {inventories, unreadable}: Installed): readonly InstallId[] {
  return Object.keys(install.for)
    .map(installIdIn)
    .filter(
      id =>
        inventories.some(each => isSameInstall(each.install, id)) ||
        unreadable.some(each => isInventoryOf(each, id)),
    )
}
