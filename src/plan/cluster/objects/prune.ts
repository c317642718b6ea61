import {claimManager, isAppliedBy} from '../../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {present} from '../../../present.js'
import type {InstallSet} from '../../../render/install-set.js'
import type {KeptObject, Operation} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {otherUsers} from '../crds/crd-users.js'
import type {DesiredObject} from '../state/desired-object.js'
import {leftoverClaims, managedLabel} from '../crds/leftover-claims.js'
import {contentHash} from '../state/live-object.js'
import {isSameInstall, type RememberedObject, uidOf, whyKept} from '../state/ownership.js'

/** The operations for objects that an install no longer has. */
export interface Removals {
  readonly operations: readonly Operation[]
  readonly kept: readonly KeptObject[]
}

/**
 * Decides about objects that inventories of the set's installs have and the set no longer does. CRDs and Namespaces are
 * never deleted: deleting a CRD deletes its instances.
 */
export function pruneRemovals(
  {installs}: InstallSet,
  desired: readonly DesiredObject[],
  snapshot: ClusterSnapshot,
): Removals {
  const wanted = new Set(desired.map(({key}) => key))
  const own = snapshot.inventories.filter(({install}) =>
    installs.some(setInstall => isSameInstall(setInstall, install)),
  )
  const removals = own.flatMap(inventory => {
    const stale = inventory.objects.filter(object => !wanted.has(objectKey(object)))
    return inDeletionOrder(stale).map(object => removal({inventory, object}, own, snapshot))
  })
  return joined(removals)
}

/** Joins removals in their order. */
export function joined(removals: readonly Removals[]): Removals {
  return {
    operations: removals.flatMap(({operations}) => operations),
    kept: removals.flatMap(({kept}) => kept),
  }
}

/**
 * Sorts objects for deletion: workloads first, then their permissions, with bindings before the roles that they bind.
 */
export function inDeletionOrder(objects: readonly InventoryObject[]): readonly InventoryObject[] {
  const rank = ({kind}: InventoryObject) => {
    const at = DELETION_ORDER.findIndex(text => kind.endsWith(text))
    return at === -1 ? DELETION_ORDER.length : at
  }
  return [...objects].sort((a, b) => rank(a) - rank(b))
}

const DELETION_ORDER = ['Deployment', 'Binding', 'Role', 'ServiceAccount']

/** The removal of an object that none of the set's installs has any more: all of those that have it give it up. */
function removal(
  remembered: RememberedObject,
  own: readonly Inventory[],
  snapshot: ClusterSnapshot,
): Removals {
  const {object} = remembered
  if (!isCrd(object)) return deletion(remembered, snapshot, 'the install set no longer has the object')
  const key = objectKey(object)
  const live = snapshot.live.get(key)
  const leaving = own
    .filter(({objects}) => objects.some(inventoryObject => objectKey(inventoryObject) === key))
    .map(({install}) => install)
  const isUnused = live !== undefined && otherUsers(live, object, leaving, snapshot).length === 0
  return {operations: unclaims(remembered, snapshot, {isUnused}), kept: []}
}

/** Deletes an object of an install, or keeps it if it is not certainly the install's own. */
export function deletion(
  {inventory, object}: RememberedObject,
  {live}: Pick<ClusterSnapshot, 'live'>,
  reason: string,
): Removals {
  const liveObject = live.get(objectKey(object))
  if (liveObject === undefined) return {operations: [], kept: []}
  const name = nameIn(object)
  const why = whyKept(liveObject, {inventory, object})
  if (why !== undefined) return {operations: [], kept: [{object: name, reason: why}]}
  const precondition = {uid: uidOf(liveObject), sha256: contentHash(liveObject)}
  return {
    operations: [{action: 'delete', target: CLUSTER_TARGET, object: name, reason, precondition}],
    kept: [],
  }
}

/**
 * Gives up the claim of an install on a CRD, if it has one, also one that the original package manager made. A CRD that is then
 * `unused`, and stays, is also no longer marked as managed.
 */
export function unclaims(
  {inventory: {install}, object}: RememberedObject,
  snapshot: Pick<ClusterSnapshot, 'live' | 'inventories' | 'recorded'>,
  {isUnused = false} = {},
): readonly Operation[] {
  const liveObject = snapshot.live.get(objectKey(object))
  if (liveObject === undefined) return []
  const manager = claimManager(install)
  const labels = [
    ...leftoverClaims(liveObject, install, snapshot),
    ...(isUnused ? managedLabel(liveObject) : []),
  ]
  if (!isAppliedBy(liveObject, manager) && labels.length === 0) return []
  const reason = `the install ${install.namespace}/${install.name} no longer uses the CRD`
  const left =
    labels.length === 0
      ? {}
      : {labels, precondition: {uid: uidOf(liveObject), sha256: contentHash(liveObject)}}
  return [{action: 'unclaim', target: CLUSTER_TARGET, object: nameIn(object), reason, manager, ...left}]
}

function nameIn({apiVersion, kind, namespace, name}: InventoryObject): ObjectName {
  return {apiVersion, kind, ...present({namespace}), name}
}
