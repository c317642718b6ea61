import {CONTENT_MANAGER, isAppliedBy} from '../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../cluster/inventory/inventory.js'
import {groupOf, objectKey} from '../../kubernetes/object-key.js'
import {eraOf} from '../../render/era.js'
import type {InstallId, SetObject} from '../../render/install-set.js'
import {parentIdLabels} from '../../render/labels.js'
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
 * Reports whether an install may delete an object that its inventory names. Anyone who may edit ConfigMaps can add
 * names to an inventory, so the object itself has to show that this program applied it for this install. An inventory
 * that is `changing` can have the uid of an object that was replaced since.
 */
export function isDeletable(live: KubernetesObject, {inventory, object}: RememberedObject): boolean {
  const {install, phase} = inventory
  const isSame = phase === 'changing' || object.uid === uidOf(live)
  return isSame && isAppliedBy(live, CONTENT_MANAGER) && showsInstall(live, object, install)
}

/** The kinds that an install has besides its records, by API group. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '': ['ServiceAccount'],
  apps: ['Deployment'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
}

/** Records are named after their install, and everything else that belongs to one install has its labels. */
function showsInstall(
  {metadata}: KubernetesObject,
  {apiVersion, kind, name, namespace}: InventoryObject,
  install: InstallId,
): boolean {
  const group = groupOf(apiVersion)
  if (eraOf(apiVersion) !== undefined) return isSameInstall({namespace: namespace ?? '', name}, install)
  // A CRD can be shared, and has no labels but claims; those of others keep it.
  if (group === 'apiextensions.k8s.io') return kind === 'CustomResourceDefinition'
  const labels = Object.entries(parentIdLabels(install))
  return (
    KINDS[group]?.includes(kind) === true && labels.every(([key, value]) => metadata.labels?.[key] === value)
  )
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
