import {claimManager, isAppliedBy} from '../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {objectKey} from '../../kubernetes/object-key.js'
import {count, listNames, shellWord} from '../../text.js'
import type {Operation, Plan} from '../plan.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {CLUSTER_TARGET} from './cluster-target-name.js'
import {otherUsers} from './crd-users.js'
import {inventoryObject} from './inventory-operations.js'
import {contentHash} from './live-object.js'
import {isDeletable, uidOf} from './ownership.js'
import {inDeletionOrder} from './prune.js'

/**
 * Decides how an install is removed: the controller, its permissions, the record, the claims on CRDs, the CRDs that no
 * other install claims, and the inventory last. Anything that would lose data is a rejection: instances of its CRDs that
 * nothing serves any more, and installs that require it.
 */
export function planUninstall(inventory: Inventory, snapshot: ClusterSnapshot): Plan {
  const {objects} = inventory
  const crds = objects.filter(isCrd)
  const crdDeletions = crds.flatMap(object => crdDeletion(object, inventory, snapshot))
  return {
    operations: [
      ...inDeletionOrder(objects.filter(object => !isCrd(object))).flatMap(object =>
        deletion(object, inventory, snapshot),
      ),
      ...crds.flatMap(object => unclaim(object, inventory, snapshot)),
      ...crdDeletions,
      ...crdDeletions.map((each): Operation => ({
        ...each,
        action: 'wait',
        reason: 'the CRD and its instances must be gone',
        precondition: {absent: true},
      })),
      {
        action: 'delete',
        target: CLUSTER_TARGET,
        object: inventoryObject(inventory.install),
        reason: 'the install is removed',
      },
    ],
    unchanged: 0,
    rejections: [
      ...dependents(inventory, snapshot),
      ...crds.flatMap(crd => instancesOf(crd, inventory, snapshot)),
    ],
  }
}

function isCrd({kind}: InventoryObject): boolean {
  return kind === 'CustomResourceDefinition'
}

function deletion(object: InventoryObject, inventory: Inventory, snapshot: ClusterSnapshot): Operation[] {
  const live = snapshot.live.get(objectKey(object))
  // What was taken over stays: it was there before the install.
  if (live === undefined || object.created !== true || !isDeletable(live, {inventory, object})) return []
  const precondition = {uid: uidOf(live), sha256: contentHash(live)}
  return [{...operationOn(object, 'the object belongs to the install'), action: 'delete', precondition}]
}

function unclaim(object: InventoryObject, {install}: Inventory, snapshot: ClusterSnapshot): Operation[] {
  const live = snapshot.live.get(objectKey(object))
  const manager = claimManager(install)
  if (live === undefined || !isAppliedBy(live, manager)) return []
  const reason = `the install ${install.namespace}/${install.name} no longer uses the CRD`
  return [{...operationOn(object, reason), action: 'unclaim', manager}]
}

function crdDeletion(object: InventoryObject, inventory: Inventory, snapshot: ClusterSnapshot): Operation[] {
  const live = snapshot.live.get(objectKey(object))
  if (live === undefined || object.created !== true || !isDeletable(live, {inventory, object})) return []
  if (otherUsers(live, object, [inventory.install], snapshot).length > 0) return []
  const precondition = {uid: uidOf(live), sha256: contentHash(live)}
  return [{...operationOn(object, 'no other install uses the CRD'), action: 'delete', precondition}]
}

function operationOn(
  {apiVersion, kind, namespace, name}: InventoryObject,
  reason: string,
): Pick<Operation, 'target' | 'object' | 'reason'> {
  return {
    target: CLUSTER_TARGET,
    object: {apiVersion, kind, ...(namespace === undefined ? {} : {namespace}), name},
    reason,
  }
}

/** The installs that require this one. */
function dependents({install}: Inventory, {inventories}: ClusterSnapshot): Diagnostic[] {
  const installed = new Set(inventories.map(each => `${each.install.namespace}/${each.install.name}`))
  return Object.entries(install.for)
    .filter(([by]) => installed.has(by))
    .map(([by, crds]) => {
      const [namespace = '', name = ''] = by.split('/')
      return {
        severity: 'error',
        rule: 'install-required',
        message: `the install ${by} requires ${listNames(crds)} of ${install.namespace}/${install.name}`,
        suggestions: [
          `kubectl crossplane package uninstall ${shellWord(name)} --namespace ${shellWord(namespace)}`,
        ],
      }
    })
}

/** The instances of a CRD that lose the controller that serves them. */
function instancesOf(object: InventoryObject, {install}: Inventory, snapshot: ClusterSnapshot): Diagnostic[] {
  const found = snapshot.instances.get(objectKey(object))
  if (found === undefined || found.total === 0) return []
  const {total, first} = found
  const more = total > first.length ? ` and ${total - first.length} more` : ''
  const place = install.scope === 'Cluster' ? '' : ` in namespace ${install.namespace}`
  return [
    {
      severity: 'error',
      rule: 'instances-exist',
      message: `${count(total, 'instance')} of ${object.name}${place} would lose the controller: ${first.join(', ')}${more}`,
      subject: {object: `${object.kind} ${object.name}`},
      suggestions: [`kubectl get ${shellWord(object.name)} --all-namespaces`],
    },
  ]
}
