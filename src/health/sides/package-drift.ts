import type {Inventory} from '../../cluster/inventory/inventory.js'
import {installKey, type LockedPackage} from '../../declaration/lock.js'
import type {InstallId} from '../../reference/install-id.js'

/** An install whose package is not the same in the lock and in the cluster. */
export interface PackageDrift {
  readonly install: InstallId
  /** As `REPOSITORY:TAG@DIGEST`; absent if the lock does not have the install. */
  readonly lock?: string
  /** The same of the cluster. */
  readonly cluster?: string
}

/** Compares the packages of a lock with those of inventories. An install without an inventory is compared by its objects. */
export function packageDrift(
  packages: readonly LockedPackage[],
  inventories: readonly Inventory[],
): readonly PackageDrift[] {
  const locked = new Map(
    packages.flatMap(locked =>
      locked.installs.map(install => [installKey(install), packageText(locked)] as const),
    ),
  )
  return inventories.flatMap(({install}): readonly PackageDrift[] => {
    const {namespace, name, package: installed} = install
    const id = {namespace, name}
    const want = locked.get(installKey(install))
    if (installed === undefined) return want === undefined ? [{install: id, cluster: 'unknown'}] : []
    const have = packageText(installed)
    if (want === undefined) return [{install: id, cluster: have}]
    return want === have ? [] : [{install: id, lock: want, cluster: have}]
  })
}

function packageText({identity, tag, digest}: Pick<LockedPackage, 'identity' | 'tag' | 'digest'>): string {
  return `${identity}:${tag}${digest === undefined ? '' : `@${digest}`}`
}
