import {CONTENT_MANAGER, isAppliedBy} from '../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../cluster/inventory/inventory.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {InstallId, SetObject} from '../../render/install-set.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {asObjects, asText} from '../../yaml/json-value.js'

/** An object of an install that the cluster remembers. */
export interface RememberedObject {
  readonly inventory: Inventory
  readonly object: InventoryObject
}

/** The remembered objects of all installs, by `objectKey`. */
export function rememberedObjects(
  inventories: readonly Inventory[],
): ReadonlyMap<string, readonly RememberedObject[]> {
  const all = new Map<string, RememberedObject[]>()
  for (const inventory of inventories) {
    for (const object of inventory.objects) {
      const key = objectKey(object)
      all.set(key, [...(all.get(key) ?? []), {inventory, object}])
    }
  }
  return all
}

/**
 * Reports whether a live object is the one that an install remembers. One that was deleted and created again has
 * another uid, and is the install's only if this program applied it.
 */
export function isRemembered(live: KubernetesObject, {object}: RememberedObject): boolean {
  return uidOf(live) === object.uid || isAppliedBy(live, CONTENT_MANAGER)
}

/**
 * Reports whether an object belongs to installs already. A CRD can be one that an install left behind: then no inventory
 * has it.
 */
export function isManaged(
  live: KubernetesObject,
  {shared}: Pick<SetObject, 'shared'>,
  known: readonly RememberedObject[],
): boolean {
  return known.length > 0 || (shared === 'crd' && isAppliedBy(live, CONTENT_MANAGER))
}

/** Reports whether this program created an object: what it took over has fields of other managers, too. */
export function isCreatedHere(live: KubernetesObject): boolean {
  const others = asObjects(live.metadata.managedFields).filter(
    ({manager, subresource}) => subresource === undefined && !asText(manager).startsWith(CONTENT_MANAGER),
  )
  return isAppliedBy(live, CONTENT_MANAGER) && others.length === 0
}

/** The uid of a live object. */
export function uidOf({metadata}: KubernetesObject): string {
  return asText(metadata.uid)
}

/** Reports whether two installs are the same. */
export function isSameInstall(a: InstallId, b: InstallId): boolean {
  return a.namespace === b.namespace && a.name === b.name
}
