import type {Inventory} from '../../../cluster/inventory/inventory.js'
import {inventoryName} from '../../../cluster/inventory/inventory-config-maps.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {Operation, Precondition} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {isInstanceRemoval} from './instance-removal.js'
import {isInventoryOperation, plannedText} from '../inventories/inventory-operations.js'
import {uidOf} from '../state/ownership.js'
import {changedObject, operationsText} from './plan-differences.js'

/**
 * Names the objects for which the current plan of a command has operations that its saved plan does not have, and the
 * installs that have changed since. Operations that only the saved plan has are done already: an interrupted execution
 * can be repeated. A deletion is done if the object is gone, and that of an instance only after it was begun.
 */
export function unplannedChanges(
  saved: readonly Operation[],
  current: readonly Operation[],
  snapshot: Pick<ClusterSnapshot, 'inventories' | 'live'>,
): readonly string[] {
  const {inventories} = snapshot
  const planned = byObject(saved)
  const left = byObject(current)
  const unplanned = current.filter(
    operation =>
      operation.action !== 'wait' &&
      !(planned.get(keyOf(operation)) ?? []).some(
        (plan, _, all) => isLeftOf(operation, plan) || isDrop(operation, plan, all),
      ),
  )
  const gone = saved.filter(
    operation =>
      isInventoryOperation(operation) && !left.has(keyOf(operation)) && !isDone(operation, inventories),
  )
  const kept = saved.filter(
    operation =>
      operation.action === 'delete' &&
      !isInventoryOperation(operation) &&
      !(left.get(keyOf(operation)) ?? []).some(({action}) => action === 'delete') &&
      !(isInstanceRemoval(operation) ? isBegun(operation, saved, inventories) : isGone(operation, snapshot)),
  )
  return [...new Set([...unplanned, ...gone, ...kept].map(changedObject))]
}

function byObject(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const key = keyOf(operation)
    groups.set(key, [...(groups.get(key) ?? []), operation])
  }
  return groups
}

function keyOf({object, path = ''}: Operation): string {
  return object === undefined ? path : objectKey(object)
}

/** Reports whether an operation is the planned one, or the rest of it after an interruption. */
function isLeftOf(operation: Operation, planned: Operation): boolean {
  const {action, content, precondition} = operation
  // Inventories are written before all other changes, and then have another reason.
  if (isInventoryOperation(operation)) return action === planned.action && content === planned.content
  // Deleted, and not created yet.
  if (planned.action === 'replace' && isAbsent(precondition)) {
    return action === 'apply' && content === planned.content
  }
  // Its claims are removed before a CRD is deleted, and a request that is being deleted waits for its package manager.
  if (action === 'delete') {
    return action === planned.action && uidIn(precondition) === uidIn(planned.precondition)
  }
  if (action === 'unclaim') return isLeftUnclaim(operation, planned)
  return operationsText([operation]) === operationsText([planned])
}

/** Once custom resources are migrated, losing their former version is a change like any other. */
function isDrop(operation: Operation, planned: Operation, all: readonly Operation[]): boolean {
  if (operation.action !== 'apply' || !all.some(({action}) => action === 'migrate')) return false
  const {reason, risks, force} = planned
  return operationsText([{...operation, reason, risks, force}]) === operationsText([planned])
}

/** The claims of other removed installs, and a part of its own, can be removed already. */
function isLeftUnclaim({manager, labels = [], precondition}: Operation, planned: Operation): boolean {
  return (
    planned.action === 'unclaim' &&
    manager === planned.manager &&
    labels.every(label => planned.labels?.includes(label)) &&
    (labels.length === 0 || uidIn(precondition) === uidIn(planned.precondition))
  )
}

function isGone({object, precondition}: Operation, {live}: Pick<ClusterSnapshot, 'live'>): boolean {
  const liveObject = object && live.get(objectKey(object))
  return liveObject === undefined || uidOf(liveObject) !== uidIn(precondition)
}

/** Reports whether an interrupted run was about to delete an instance, as the inventories of the removed installs tell. */
function isBegun(
  {precondition}: Operation,
  saved: readonly Operation[],
  inventories: readonly Inventory[],
): boolean {
  const uid = uidIn(precondition)
  const removed = saved
    .filter(isInventoryOperation)
    .flatMap(operation => inventoryIn(operation, inventories) ?? [])
  return removed.length === 0 || removed.some(({deleting}) => uid !== undefined && deleting?.includes(uid))
}

function isAbsent(precondition: Precondition | undefined): boolean {
  return precondition !== undefined && 'absent' in precondition
}

function uidIn(precondition: Precondition | undefined): string | undefined {
  return precondition !== undefined && 'uid' in precondition ? precondition.uid : undefined
}

/** Reports whether an inventory already is as an operation writes it. */
function isDone(operation: Operation, inventories: readonly Inventory[]): boolean {
  const {content} = operation
  const inventory = inventoryIn(operation, inventories)
  return inventory === undefined ? content === undefined : plannedText(inventory) === content
}

function inventoryIn({object}: Operation, inventories: readonly Inventory[]): Inventory | undefined {
  return inventories.find(
    ({install}) => install.namespace === object?.namespace && inventoryName(install) === object.name,
  )
}
