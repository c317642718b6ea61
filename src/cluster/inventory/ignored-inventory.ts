import type {EraName} from '../../reference/era-name.js'
import type {InstallId} from '../../reference/install-id.js'
import type {Inventory} from './inventory.js'
import {INVENTORY_PREFIX} from './inventory-config-maps.js'
import type {Standing} from './standing.js'

/** An inventory that does not count, or is missing, by the name of the install that it claims to be of. */
export interface IgnoredInventory extends InstallId {
  readonly standing: Extract<Standing, 'unwitnessed' | 'forged' | 'missing'>
  readonly configMap: string
  /** Read only where the install has a system role that this program applied. Untrusted. */
  readonly inventory?: Inventory
  /** Known only of a missing one, by its system role. */
  readonly era?: EraName
}

/** The install that the ConfigMap of an inventory is named after; a truncated name is that of the ConfigMap. */
export function namedInstall(namespace: string, configMap: string): InstallId {
  const name = configMap.startsWith(INVENTORY_PREFIX) ? configMap.slice(INVENTORY_PREFIX.length) : configMap
  return {namespace, name}
}
