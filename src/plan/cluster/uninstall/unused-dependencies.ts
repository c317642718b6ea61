import type {Inventory} from '../../../cluster/inventory/inventory.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {isSameInstall} from '../state/ownership.js'
import {dependentsOf, installIdIn} from './uninstall-impact.js'

/**
 * Returns the installs that were added only because the removed one, or another of them, requires them, and that no
 * other install requires, as the rejection of a removal counts dependents: dependents before their dependencies.
 */
export function unusedDependencies(removed: Inventory, snapshot: ClusterSnapshot): readonly Inventory[] {
  let unused = dependenciesOf(removed, snapshot)
  for (;;) {
    const going = [removed, ...unused]
    const left = unused.filter(inventory => dependentsOf(inventory, going, snapshot).length === 0)
    if (left.length === unused.length) return unused
    unused = left
  }
}

/** The automatic installs that an install requires, directly or not. */
function dependenciesOf(
  removed: Inventory,
  {inventories}: Pick<ClusterSnapshot, 'inventories'>,
): readonly Inventory[] {
  const unused = [removed]
  const isNew = ({install}: Inventory) => !unused.some(inventory => isSameInstall(inventory.install, install))
  for (const {install} of unused) {
    const required = inventories.filter(
      inventory =>
        inventory.install.mode === 'auto' &&
        isNew(inventory) &&
        Object.keys(inventory.install.for).some(by => isSameInstall(installIdIn(by), install)),
    )
    unused.push(...required)
  }
  return unused.slice(1)
}
