import {claimManager, isAppliedBy} from '../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../cluster/inventory/inventory.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {InstallSet} from '../../render/install-set.js'
import type {Operation} from '../plan.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {CLUSTER_TARGET} from './cluster-target-name.js'
import type {DesiredObject} from './desired-object.js'
import {contentHash} from './live-object.js'
import {isDeletable, isSameInstall, uidOf} from './ownership.js'

/**
 * The operations for objects that inventories of the set's installs have and the set no longer does. CRDs and
 * Namespaces are never deleted: deleting a CRD deletes its instances.
 */
export function pruneOperations(
  {installs}: InstallSet,
  desired: readonly DesiredObject[],
  snapshot: ClusterSnapshot,
): readonly Operation[] {
  const kept = new Set(desired.map(({key}) => key))
  return snapshot.inventories
    .filter(({install}) => installs.some(each => isSameInstall(each, install)))
    .flatMap(inventory => {
      const stale = inventory.objects.filter(object => !kept.has(objectKey(object)))
      return inDeletionOrder(stale).flatMap(object => removal(object, inventory, snapshot))
    })
}

/** What runs first, then what grants it permissions: bindings before the roles that they bind. */
export function inDeletionOrder(objects: readonly InventoryObject[]): readonly InventoryObject[] {
  const rank = ({kind}: InventoryObject) => {
    const at = DELETION_ORDER.findIndex(each => kind.endsWith(each))
    return at === -1 ? DELETION_ORDER.length : at
  }
  return [...objects].sort((a, b) => rank(a) - rank(b))
}

const DELETION_ORDER = ['Deployment', 'Binding', 'Role', 'ServiceAccount']

function removal(object: InventoryObject, inventory: Inventory, snapshot: ClusterSnapshot): Operation[] {
  const live = snapshot.live.get(objectKey(object))
  const {install} = inventory
  const {uid: _uid, sent: _sent, read: _read, generation: _generation, created: _created, ...name} = object
  if (live === undefined) return []
  if (name.kind === 'CustomResourceDefinition') {
    const manager = claimManager(install)
    if (!isAppliedBy(live, manager)) return []
    const reason = `the install ${install.namespace}/${install.name} no longer uses the CRD`
    return [{action: 'unclaim', target: CLUSTER_TARGET, object: name, manager, reason}]
  }
  if (!isDeletable(live, {inventory, object})) return []
  return [
    {
      action: 'delete',
      target: CLUSTER_TARGET,
      object: name,
      reason: 'the install set no longer has the object',
      precondition: {uid: uidOf(live), sha256: contentHash(live)},
    },
  ]
}
