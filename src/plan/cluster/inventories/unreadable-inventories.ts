import {inventoryName} from '../../../cluster/inventory/inventory-config-maps.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {InstallId} from '../../../render/install-set.js'
import type {ClusterSnapshot, UnreadableInventory} from '../state/cluster-snapshot.js'

/** Reports whether an inventory is that of an install: only its name is known. */
export function isInventoryOf({namespace, configMap}: UnreadableInventory, install: InstallId): boolean {
  return namespace === install.namespace && configMap === inventoryName(install)
}

/** Rejects the change of installs whose inventories cannot be read: their objects are unknown. */
export function unreadableRejections(
  installs: readonly InstallId[],
  {unreadable}: Pick<ClusterSnapshot, 'unreadable'>,
): readonly Diagnostic[] {
  return unreadable
    .filter(inventory => installs.some(install => isInventoryOf(inventory, install)))
    .map(({message, suggestions}) => ({severity: 'error', rule: RULE, message, suggestions}))
}

/**
 * Warns of the inventories that do not stop a change. Anyone who may create a ConfigMap in one namespace can write one,
 * and must not be able to stop the changes of all others. The CRDs that their installs use are still kept: the claims
 * are on the CRDs themselves.
 */
export function unreadableWarnings(
  rejections: readonly Diagnostic[],
  {unreadable}: Pick<ClusterSnapshot, 'unreadable'>,
): readonly Diagnostic[] {
  const stopping = new Set(rejections.map(({message}) => message))
  const others = unreadable.filter(({message}) => !stopping.has(message))
  const shown = others
    .slice(0, SHOWN)
    .map(({message, suggestions}): Diagnostic => ({severity: 'warning', rule: RULE, message, suggestions}))
  const more = others.length - shown.length
  if (more === 0) return shown
  return [...shown, {severity: 'warning', rule: RULE, message: `cannot read ${more} more inventories`}]
}

const RULE = 'inventory-invalid'
const SHOWN = 5
