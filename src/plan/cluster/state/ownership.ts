import {CONTENT_MANAGER, isAppliedBy, otherManagers} from '../../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {groupOf, objectKey} from '../../../kubernetes/object-key.js'
import {eraOf, requestEraOf} from '../../../render/era.js'
import type {InstallId, SetObject} from '../../../render/install-set.js'
import {parentIdLabels} from '../../../render/labels.js'
import {isOriginal} from './original-objects.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asText} from '../../../yaml/json-value.js'
import {grouped} from '../../../grouped.js'

/** An object of an install, as an inventory in the cluster records it. */
export interface RememberedObject {
  readonly inventory: Inventory
  readonly object: InventoryObject
}

/** The remembered objects of all installs, by `objectKey`. */
export function rememberedObjects(
  inventories: readonly Inventory[],
): ReadonlyMap<string, readonly RememberedObject[]> {
  const all = inventories.flatMap(inventory => inventory.objects.map(object => ({inventory, object})))
  return grouped(all, ({object}) => objectKey(object))
}

/** The CRDs of installs, each once, by `objectKey`. */
export function crdsOf(inventories: readonly Inventory[]): ReadonlyMap<string, InventoryObject> {
  return new Map(inventories.flatMap(({objects}) => objects.filter(isCrd).map(crd => [objectKey(crd), crd])))
}

/**
 * Reports whether a live object is the one that an inventory records: an object that was deleted and created again, by
 * any user, has another uid. The inventory of a run that was interrupted does not have the uids of the objects that the
 * run created; such an object shows that this program applied it.
 */
export function isRemembered(live: KubernetesObject, {inventory, object}: RememberedObject): boolean {
  if (uidOf(live) === object.uid) return true
  return inventory.phase === 'changing' && isAppliedBy(live, CONTENT_MANAGER)
}

/**
 * Returns why an install keeps an object that its inventory names; undefined if it may delete it. An object that was
 * taken over existed before the install. Anyone who may edit ConfigMaps can add names to an inventory, so the object
 * itself has to show that this program applied it for this install.
 */
export function whyKept(live: KubernetesObject, remembered: RememberedObject): string | undefined {
  const {inventory, object} = remembered
  if (object.created !== true) return 'it was taken over with --adopt'
  const isOriginals = isOriginal(live, inventory.install)
  if (!isRemembered(live, remembered) && !(inventory.phase === 'changing' && isOriginals)) {
    return 'it was deleted and recreated by another program'
  }
  if (isOriginals) return undefined
  if (!isAppliedBy(live, CONTENT_MANAGER)) return 'it no longer has fields that this program applied'
  return showsInstall(live, object, inventory.install) ? undefined : 'its labels do not name the install'
}

/** The kinds that an install has besides its records, by API group. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  '': ['ServiceAccount'],
  apps: ['Deployment'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
}

/**
 * Reports whether an object shows that it belongs to an install: records are named after it, and everything else that
 * belongs to one install has its labels.
 */
export function showsInstall(
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
 * Reports whether an object belongs to installs already. No inventory has a CRD that an install left behind, nor a request
 * that a package manager processes.
 */
export function isManaged(
  live: KubernetesObject,
  {shared}: Pick<SetObject, 'shared'>,
  remembered: readonly RememberedObject[],
): boolean {
  if (remembered.length > 0) return true
  return (shared === 'crd' || requestEraOf(live) !== undefined) && isAppliedBy(live, CONTENT_MANAGER)
}

/** Reports whether this program created an object: an object that it took over has fields of other managers, too. */
export function isCreatedHere(live: KubernetesObject): boolean {
  return isAppliedBy(live, CONTENT_MANAGER) && otherManagers(live).length === 0
}

/** The uid of a live object. */
export function uidOf({metadata}: KubernetesObject): string {
  return asText(metadata.uid)
}

/** Reports whether two installs are the same. */
export function isSameInstall(a: InstallId, b: InstallId): boolean {
  return a.namespace === b.namespace && a.name === b.name
}
