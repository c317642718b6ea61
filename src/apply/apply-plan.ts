import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {inventoryName} from '../cluster/inventory/inventory-config-maps.js'
import {readInventory} from '../cluster/inventory/inventory-document.js'
import {installRoleName} from '../cluster/inventory/system-role.js'
import type {Inventory, InventoryObject} from '../cluster/inventory/inventory.js'
import {hasNewRevision, type RevisionAuthor, withAuthors} from '../cluster/inventory/revisions.js'
import {isCrd} from '../kubernetes/crd-kind.js'
import {groupOf, objectKey} from '../kubernetes/object-key.js'
import {isInventoryOperation} from '../plan/cluster/inventories/inventory-operations.js'
import {isInstanceRemoval} from '../plan/cluster/objects/instance-removal.js'
import {isPackageRequest} from '../plan/cluster/state/core-state.js'
import {isManagedRequest} from '../plan/cluster/inventories/managed-installs.js'
import {changesRevision} from '../plan/cluster/core/resolver-change.js'
import type {ClusterSnapshot, ObjectState} from '../plan/cluster/state/cluster-snapshot.js'
import {objectState} from '../plan/cluster/state/object-state.js'
import {isSameInstall} from '../plan/cluster/state/ownership.js'
import type {Operation, Plan} from '../plan/plan.js'
import {sha256Of} from '../plan/sha256.js'
import {mapConcurrent} from '../map-concurrent.js'
import {applyOperation} from './apply-operation.js'
import type {ReportChange} from './change-report.js'
import {CONCURRENCY} from '../observe/objects/read-live.js'
import {contentIn, expectsAbsence, isOnCrd, lockedIn, nameIn, uidIn} from './operation-parts.js'
import {recordConfirmed} from './record-confirmed.js'
import {WitnessLog} from './witness-log.js'
import {removeInventory, writeInventory} from './write-inventory.js'

/** The dependencies of executing a plan. */
export interface ApplyPorts {
  readonly api: ClusterApi
  readonly report: ReportChange
  /** Whether to wait for all objects, or only for CRDs whose kind the plan itself applies. */
  readonly waitsForAll: boolean
  /** Whether to wait, even then, until deleted CRDs are gone, before the inventory that names them is removed. */
  readonly waitsForDeletedCrds?: boolean
  /** Whether the inventories of removed installs are marked first: not in a namespace that is being deleted, which takes none. */
  readonly marksRemovals?: boolean
  /** Waits until objects are ready. Throws `timeout` with their reasons, and the signal's reason when it is aborted. */
  readonly wait: (operations: readonly Operation[], signal: AbortSignal) => Promise<void>
  /** Waits until every API server can know of a CRD that was changed. Throws the signal's reason when it is aborted. */
  readonly settle?: (signal: AbortSignal) => Promise<void>
  /** Returns who changes installs, and when, for their new revisions. */
  readonly author?: () => Promise<RevisionAuthor>
  /** Once aborted, no operation is begun; its reason is thrown. */
  readonly signal: AbortSignal
  /** Checks the impact again right before a package manager is told to delete CRDs. Throws if there is more of it. */
  readonly recheck?: (() => Promise<void>) | undefined
}

/**
 * Executes a plan in its order, eight operations of a kind at a time. Inventories are written before the first change
 * with the objects before and after it, and at the end with the objects after it, or removed: every object that an
 * interrupted run may have created or left is recorded.
 */
export async function applyPlan(plan: Plan, snapshot: ClusterSnapshot, ports: ApplyPorts): Promise<void> {
  const states = new Map(snapshot.states)
  const planned: Inventory[] = []
  const witnesses = new WitnessLog(snapshot.roles, ports.api)
  await announceRemovals(plan, snapshot, {...ports, witnesses})
  await recordConfirmed(plan, ports)
  for (const batch of batchesOf(plan.operations)) {
    const [first] = batch
    if (first === undefined) continue
    ports.signal.throwIfAborted()
    if (isInventoryOperation(first) && first.action === 'delete') {
      for (const operation of batch) {
        await removeInventory(inventoryIn(operation, snapshot), ports.api)
        ports.report('deleted', nameIn(operation))
      }
    } else if (isInventoryOperation(first)) {
      planned.push(...(await announce(batch, snapshot, {...ports, witnesses})))
    } else if (first.action === 'wait') {
      await ports.wait(awaitedOf(batch, plan, ports), ports.signal)
    } else {
      await recheckBefore(first, snapshot, ports)
      if (first.action === 'migrate') await ports.settle?.(ports.signal)
      await mapConcurrent(batch, CONCURRENCY, async planOperation => {
        ports.signal.throwIfAborted()
        // A plan makes the text of an object when it is read: here once, and not for longer than it is needed.
        const operation = {...planOperation}
        const {change, object} = await applyOperation(operation, ports)
        if (object !== undefined && isContent(operation)) {
          const desired = {content: contentIn(operation), sent: sha256Of(operation.content ?? '')}
          states.set(objectKey(nameIn(operation)), objectState(desired, object))
          await witnesses.applied(object)
        }
        ports.report(change, nameIn(operation))
      })
    }
  }
  await complete(
    planned.map(inventory => completed(inventory, states, snapshot)),
    {...ports, witnesses},
  )
}

/** Writes the last inventories of a change, between the witnesses that name also them and those that name only them. */
async function complete(last: readonly Inventory[], {api, witnesses}: WitnessPorts): Promise<void> {
  await mapConcurrent(last, CONCURRENCY, inventory => witnesses.complete(inventory))
  await mapConcurrent(last, CONCURRENCY, inventory => writeInventory(inventory, api))
  await mapConcurrent(last, CONCURRENCY, inventory => witnesses.settle(inventory))
}

/** Checks the impact before the deletion of a request, after which a package manager deletes the CRDs. */
async function recheckBefore(
  operation: Operation,
  snapshot: ClusterSnapshot,
  {recheck}: Pick<ApplyPorts, 'recheck'>,
): Promise<void> {
  if (operation.action !== 'delete') return
  const object = nameIn(operation)
  if (isManagedRequest(object, snapshot) || isPackageRequest(object)) await recheck?.()
}

function awaitedOf(
  batch: readonly Operation[],
  plan: Plan,
  {waitsForAll, waitsForDeletedCrds = false}: Pick<ApplyPorts, 'waitsForAll' | 'waitsForDeletedCrds'>,
): readonly Operation[] {
  if (waitsForAll || isFollowed(batch, plan) || followsRevision(batch, plan)) return batch
  return batch.filter(
    operation =>
      isNeeded(operation, plan) ||
      // What follows would be undone otherwise.
      lockedIn(operation).length > 0 ||
      (waitsForDeletedCrds && expectsAbsence(operation) && isOnCrd(operation)),
  )
}

/** Reports whether waits follow a change of a revision, which could stay inactive otherwise, without anyone being told. */
function followsRevision([first]: readonly Operation[], {operations}: Plan): boolean {
  const before = first === undefined ? undefined : operations[operations.indexOf(first) - 1]
  return before !== undefined && changesRevision(before)
}

/** Reports whether the plan deletes something once objects are gone, besides inventories: that has to wait for them. */
function isFollowed(batch: readonly Operation[], {operations}: Plan): boolean {
  if (!batch.every(expectsAbsence)) return false
  const last = batch.at(-1)
  const after = last === undefined ? [] : operations.slice(operations.indexOf(last) + 1)
  return after.some(
    operation => operation.action === 'delete' && !isInventoryOperation(operation) && !isLastRole(operation),
  )
}

/** Reports whether an operation deletes a role of an install, which goes together with its inventory. */
function isLastRole({object}: Operation): boolean {
  return object?.kind === 'ClusterRole' && installRoleName(object.name) !== undefined
}

/** Reports whether the plan applies objects of the kind that a CRD defines, or migrates them. */
function isNeeded({object}: Operation, {operations}: Plan): boolean {
  if (object === undefined || !isCrd(object)) return false
  if (operations.some(other => other.action === 'migrate' && other.object?.name === object.name)) return true
  const group = object.name.slice(object.name.indexOf('.') + 1)
  return operations.some(
    operation => operation.object !== undefined && groupOf(operation.object.apiVersion) === group,
  )
}

/** The inventory that an operation removes. */
function inventoryIn(operation: Operation, {inventories}: ClusterSnapshot): Inventory {
  const {namespace, name} = nameIn(operation)
  const inventory = inventories.find(
    ({install}) => install.namespace === namespace && inventoryName(install) === name,
  )
  if (inventory === undefined) throw new RangeError(`no inventory ${name}`)
  return inventory
}

/** The operations in their order, in groups that can be executed concurrently. */
function batchesOf(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const batches: Operation[][] = []
  let last = ''
  for (const operation of operations) {
    const key = batchKey(operation)
    if (key === last) batches.at(-1)?.push(operation)
    else batches.push([operation])
    last = key
  }
  return batches
}

function batchKey(operation: Operation): string {
  const {phase = '', action, object} = operation
  if (isInventoryOperation(operation)) return 'inventory'
  // Deletions are ordered by kind; a binding follows the role that it binds.
  const kind = action === 'delete' ? object?.kind : object?.kind.endsWith('Binding')
  // Two installs change the labels of the same CRD.
  if (action === 'unclaim') return `${phase} ${action} ${operation.manager ?? ''}`
  return `${phase} ${action} ${String(kind)}`
}

/** Reports whether the content of an operation is recorded in the inventory of its object. */
function isContent({action}: Operation): boolean {
  return action === 'apply' || action === 'replace'
}

/**
 * Marks the inventories that a plan removes as `changing`, unless their removal is all that is left to do. They name the
 * instances that are deleted: the same command can delete those that an interruption leaves.
 */
async function announceRemovals(
  {operations}: Plan,
  snapshot: ClusterSnapshot,
  {api, signal, witnesses, marksRemovals = true}: WitnessPorts & Pick<ApplyPorts, 'signal' | 'marksRemovals'>,
): Promise<void> {
  if (!marksRemovals) return
  const removals = operations.filter(
    operation => isInventoryOperation(operation) && operation.action === 'delete',
  )
  if (removals.length === operations.length) return
  const uids = operations.filter(isInstanceRemoval).flatMap(operation => uidIn(operation) ?? [])
  for (const removal of removals) {
    signal.throwIfAborted()
    const inventory = inventoryIn(removal, snapshot)
    const deletingKeys = new Set(inventory.deleting)
    const deleting = uids.every(uid => deletingKeys.has(uid)) ? inventory.deleting : uids
    if (inventory.phase === 'changing' && deleting === inventory.deleting) continue
    const next: Inventory = {...inventory, phase: 'changing', deleting}
    // Removing an install does not make an inventory count that has no witness.
    const isIgnored = snapshot.ignored.some(ignoredInventory =>
      isSameInstall(ignoredInventory, inventory.install),
    )
    if (!isIgnored) await witnesses.announce(inventory, next)
    await writeInventory(next, api)
  }
}

/** The dependencies of writing inventories. */
interface WitnessPorts extends Pick<ApplyPorts, 'api'> {
  readonly witnesses: WitnessLog
}

/** Writes inventories ahead of the changes. */
async function announce(
  operations: readonly Operation[],
  {inventories}: ClusterSnapshot,
  {api, author, witnesses, report}: WitnessPorts & Pick<ApplyPorts, 'author' | 'report'>,
): Promise<readonly Inventory[]> {
  const beforeOf = ({install: {namespace, name}}: Inventory) =>
    inventories.find(({install}) => isSameInstall(install, {namespace, name}))
  const read = operations.map(operation => readInventory(operation.content ?? '', 'the plan'))
  const isNew = read.some(inventory => hasNewRevision(inventory, beforeOf(inventory)))
  const by = isNew ? await author?.() : undefined
  const planned = read.map(inventory => withAuthors(inventory, beforeOf(inventory), by))
  const changes = planned.map(after => {
    const before = beforeOf(after)
    const next: Inventory = {
      ...after,
      phase: 'changing',
      objects: union(before?.objects ?? [], after.objects),
    }
    return {before, next}
  })
  for (const {before, next} of changes) await witnesses.announce(before, next)
  for (const {next} of changes) await writeInventory(next, api)
  for (const operation of operations)
    report(isNewObject(operation) ? 'created' : 'configured', nameIn(operation))
  return planned
}

function isNewObject({precondition}: Operation): boolean {
  return precondition !== undefined && 'absent' in precondition
}

/**
 * Joins two lists of objects. An object that is in both keeps its record, except that it was created: an object that
 * the plan takes over must not be deleted if the run is interrupted.
 */
function union(
  before: readonly InventoryObject[],
  after: readonly InventoryObject[],
): readonly InventoryObject[] {
  const planned = new Map(after.map(object => [objectKey(object), object]))
  const keysBefore = new Set(before.map(objectKey))
  const kept = before.map(object => {
    const next = planned.get(objectKey(object))
    return next === undefined || next.created === true ? object : takenOver(object)
  })
  return [...kept, ...after.filter(object => !keysBefore.has(objectKey(object)))]
}

function takenOver({created: _created, ...object}: InventoryObject): InventoryObject {
  return object
}

function completed(
  inventory: Inventory,
  states: ReadonlyMap<string, ObjectState>,
  {inventories}: ClusterSnapshot,
): Inventory {
  const before = inventories.find(({install}) => isSameInstall(install, inventory.install))
  const objectsByKey = new Map((before?.objects ?? []).map(object => [objectKey(object), object]))
  return {
    ...inventory,
    phase: 'complete',
    objects: inventory.objects.map(object => {
      const {uid, sent, read, generation} =
        states.get(objectKey(object)) ?? objectsByKey.get(objectKey(object)) ?? {}
      return {...object, uid, sent, read, generation}
    }),
  }
}
