import {claimManager, CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import {INVENTORY_PREFIX, inventoryName} from '../../../cluster/inventory/inventory-config-maps.js'
import {formatInventory} from '../../../cluster/inventory/inventory-document.js'
import {revisionsAfter, withoutAuthors} from '../../../cluster/inventory/revisions.js'
import {rolesOf} from '../../../cluster/inventory/standing.js'
import {systemRoleName} from '../../../cluster/inventory/system-role.js'
import {inventoryHash} from '../../../cluster/inventory/witness.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import type {InstallId, InstallSet, SetInstall} from '../../../render/install-set.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {Operation} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import type {DesiredObject} from '../state/desired-object.js'
import {isCreateOnly} from '../state/object-operation.js'
import {leftCrds} from './left-crds.js'
import {isOriginal} from '../state/original-objects.js'
import {
  isCreatedHere,
  isRemembered,
  isSameInstall,
  type RememberedObject,
  rememberedObjects,
} from '../state/ownership.js'

/**
 * The operations that write inventories: for each install with changes, or with a different record. Their content has
 * no uids or hashes, which are known once the objects are applied.
 */
export function inventoryOperations(
  {installs}: InstallSet,
  desired: readonly DesiredObject[],
  operations: readonly Operation[],
  snapshot: ClusterSnapshot,
  {toolVersion}: {readonly toolVersion: string},
): readonly Operation[] {
  const changed = keysOf(operations)
  // A replaced object is created by this program, even if it was taken over before.
  const replaced = keysOf(operations.filter(({action}) => action === 'replace'))
  const live = new Map([...snapshot.live].filter(([key]) => !replaced.has(key)))
  const remembered = rememberedObjects(snapshot.inventories)
  return installs.flatMap((install): Operation[] => {
    const before = snapshot.inventories.find(inventory => isSameInstall(inventory.install, install))
    const planned = plannedInventory(install, desired, {live, remembered}, toolVersion)
    const after = withRevisions(withLeft(planned, before, snapshot), before)
    const all = [...after.objects, ...(before?.objects ?? [])]
    const isTouched = all.some(object => changed.has(objectKey(object)))
    const isSettled =
      before !== undefined && isSameInventory(before, after) && isProven(before, after, snapshot)
    if (!isTouched && isSettled) return []
    return [
      {
        action: 'apply',
        target: CLUSTER_TARGET,
        object: inventoryObject(install),
        manager: CONTENT_MANAGER,
        reason: before === undefined ? 'the install is new' : 'the install changes',
        ...(before === undefined ? {precondition: {absent: true}} : {}),
        content: plannedText(after),
      },
    ]
  })
}

function keysOf(operations: readonly Operation[]): ReadonlySet<string> {
  return new Set(operations.flatMap(({object}) => (object === undefined ? [] : [objectKey(object)])))
}

/** The ConfigMap with which an inventory begins. */
export function inventoryObject(install: InstallId): ObjectName {
  const {namespace} = install
  return {apiVersion: 'v1', kind: 'ConfigMap', namespace, name: inventoryName(install)}
}

/** Reports whether an operation writes or removes an inventory. */
export function isInventoryOperation({object}: Operation): boolean {
  return (
    object?.kind === 'ConfigMap' && object.apiVersion === 'v1' && object.name.startsWith(INVENTORY_PREFIX)
  )
}

/** Objects by `objectKey`: as they are, and as inventories remember them. */
interface KnownObjects extends Pick<ClusterSnapshot, 'live'> {
  readonly remembered: ReturnType<typeof rememberedObjects>
}

function plannedInventory(
  install: SetInstall,
  desired: readonly DesiredObject[],
  {live, remembered}: KnownObjects,
  toolVersion: string,
): Inventory {
  const {request, ...others} = install
  const objects = desired
    .filter(object => isOf(object, install))
    .map((object): InventoryObject => {
      const {key, name} = object
      const isCreated =
        !isCreateOnly(object) && isCreatedBy(live.get(key), remembered.get(key) ?? [], install)
      return {...name, ...(isCreated ? {created: true} : {})}
    })
  if (request === undefined) return {install: others, phase: 'complete', toolVersion, objects}
  const {
    namespace: _namespace,
    name: _name,
    scope: _scope,
    labels: _labels,
    annotations: _notes,
    ...kept
  } = request
  return {install: {...others, request: kept}, phase: 'complete', toolVersion, objects}
}

function withLeft(planned: Inventory, before: Inventory | undefined, snapshot: ClusterSnapshot): Inventory {
  const left = leftCrds(before, planned, snapshot)
  return left.length === 0 ? planned : {...planned, left}
}

/**
 * Reports whether this program created an object, or the original package manager for the same install. An object that
 * was taken over from others stays taken over. The inventory of another install counts only if its claim is on the
 * object: anyone who may create ConfigMaps can write an inventory.
 */
function isCreatedBy(
  live: KubernetesObject | undefined,
  remembered: readonly RememberedObject[],
  install: SetInstall,
): boolean {
  if (live === undefined) return true
  const credible = remembered.filter(
    ({inventory, object}) =>
      isRemembered(live, {inventory, object}) &&
      (isSameInstall(inventory.install, install) || isAppliedBy(live, claimManager(inventory.install))),
  )
  if (credible.length === 0) return isCreatedHere(live) || isOriginal(live, install)
  return isAppliedBy(live, CONTENT_MANAGER) && credible.some(({object}) => object.created === true)
}

/** Reports whether an object belongs to an install, or is a CRD that it claims. */
function isOf({install: owner, claims}: DesiredObject, install: InstallId): boolean {
  const users = owner === undefined ? claims.map(claim => claim.install) : [owner]
  return users.some(id => isSameInstall(id, install))
}

/** Reports whether an install without a system role, or its system role proves this inventory and no other. */
function isProven(before: Inventory, after: Inventory, {roles}: Pick<ClusterSnapshot, 'roles'>): boolean {
  const names = new Set(after.objects.flatMap(({kind, name}) => (kind === 'ClusterRole' ? [name] : [])))
  const own = (rolesOf(roles, after.install) ?? []).filter(({role}) => names.has(role))
  const hash = inventoryHash(before)
  return own.every(({witness}) => witness?.inventories.length === 1 && witness.inventories[0] === hash)
}

/** Compares the records, regardless of the version of this program that wrote them. */
function isSameInventory(before: Inventory, after: Inventory): boolean {
  const text = (inventory: Inventory) => plannedText({...inventory, toolVersion: ''})
  return text(before) === text(after)
}

/** An inventory as an operation writes it: without the values that are only known once its objects are applied. */
export function plannedText(inventory: Inventory): string {
  const objects = inventory.objects.map(
    ({uid: _uid, sent: _sent, read: _read, generation: _generation, ...object}) => object,
  )
  const {revisions} = inventory
  return formatInventory({
    ...inventory,
    objects,
    ...(revisions === undefined ? {} : {revisions: withoutAuthors(revisions)}),
  })
}

function hasSystemRole({objects}: Inventory): boolean {
  return objects.some(({kind, name}) => kind === 'ClusterRole' && systemRoleName(name) !== undefined)
}

function withRevisions(inventory: Inventory, before: Inventory | undefined): Inventory {
  // Without a system role, an inventory never counts, and its revisions would begin again with each change.
  if (before?.revisions?.length === 0 && !hasSystemRole(inventory)) return {...inventory, revisions: []}
  const revisions = revisionsAfter(before, inventory.install)
  return revisions === undefined ? inventory : {...inventory, revisions}
}
