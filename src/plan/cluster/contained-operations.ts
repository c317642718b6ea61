import {claimManager} from '../../cluster/claims.js'
import {INVENTORY_PREFIX, inventoryName} from '../../cluster/inventory/inventory-config-maps.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {groupOf, objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {InstallId} from '../../reference/install-id.js'
import {ERAS} from '../../render/era.js'
import type {Operation} from '../plan.js'
import type {PlanDiagnostic} from '../shape.js'
import {CLUSTER_TARGET} from './state/cluster-target-name.js'
import type {ClusterSnapshot} from './state/cluster-snapshot.js'
import {isInstanceRemoval, isInstanceWait} from './objects/instance-removal.js'
import {isInventoryOperation} from './inventories/inventory-operations.js'
import {refusedOperations} from './saved-cluster-plan.js'

/** The part of the cluster that a command changes now. */
interface PlannedScope {
  readonly operations: readonly Operation[]
  readonly snapshot: Pick<ClusterSnapshot, 'live' | 'inventories'>
  /** The installs that it changes, or removes. */
  readonly installs: readonly InstallId[]
  /** Whether it also removes dependencies: their inventories can be gone already. */
  readonly removesDependencies: boolean
}

/**
 * Returns the operations of a saved plan that its command neither makes now nor can have made before: an operation that
 * only the saved plan has counts as done, so that it must be of the installs that the command changes. Its object is one
 * that they have or had: in the cluster, in an inventory, or by its name.
 */
export function foreignOperations(
  saved: readonly Operation[],
  scope: PlannedScope,
): readonly PlanDiagnostic[] {
  const own = ownNames(saved, scope)
  return refusedOperations(saved, operation => (isOwnOperation(operation, own) ? undefined : FOREIGN))
}

/** What shows that an object is part of the changed installs. */
interface OwnNames {
  readonly installs: readonly InstallId[]
  /** Objects that are planned now, exist, or are in inventories, by `objectKey`. */
  readonly keys: ReadonlySet<string>
  /** The field managers of claims. */
  readonly managers: ReadonlySet<string>
  /** The ConfigMaps of inventories, as NAMESPACE/NAME. */
  readonly inventories: ReadonlySet<string>
  /** Whether the cluster no longer has the inventory of an install, so that CRDs of it can be gone. */
  readonly hasRemoved: boolean
}

function ownNames(
  saved: readonly Operation[],
  {operations, snapshot, installs, removesDependencies}: PlannedScope,
): OwnNames {
  const all = [...installs, ...(removesDependencies ? removedBefore(saved, snapshot) : [])]
  const own = snapshot.inventories.filter(({install}) => all.some(id => isSame(id, install)))
  return {
    installs: all,
    keys: new Set([
      ...operations.flatMap(({object}) => (object === undefined ? [] : [objectKey(object)])),
      ...snapshot.live.keys(),
      ...own.flatMap(({objects}) => objects.map(objectKey)),
    ]),
    managers: new Set(all.map(claimManager)),
    inventories: new Set(all.map(id => `${id.namespace}/${inventoryName(id)}`)),
    hasRemoved: !all.every(id => own.some(({install}) => isSame(install, id))),
  }
}

function isOwnOperation(operation: Operation, own: OwnNames): boolean {
  const {target, action, object, manager = ''} = operation
  if (target !== CLUSTER_TARGET || object === undefined) return true
  if (action === 'claim' || action === 'unclaim') return own.managers.has(manager)
  return own.keys.has(objectKey(object)) || isOwnedBefore({...operation, object}, own)
}

/** Reports whether an object that is neither planned nor in an inventory can have been one of the installs. */
function isOwnedBefore(
  operation: Operation & {readonly object: ObjectName},
  {installs, inventories, hasRemoved}: OwnNames,
): boolean {
  const {object} = operation
  if (isInventoryOperation(operation)) return inventories.has(`${object.namespace ?? ''}/${object.name}`)
  // What an uninstall deleted before: custom resources, and the CRDs of installs that no inventory has any more.
  if (isInstanceRemoval(operation) || isInstanceWait(operation)) return true
  if (isCrd(object)) return hasRemoved && isRemoval(operation)
  return installs.some(id => isNamed(object, id))
}

const FOREIGN = 'the object is not part of the installs that the command changes'

/** The installs whose inventories a saved plan removes, and that the cluster no longer has. */
function removedBefore(
  saved: readonly Operation[],
  {inventories}: Pick<ClusterSnapshot, 'inventories'>,
): readonly InstallId[] {
  return saved.flatMap((operation): InstallId[] => {
    const {action, object} = operation
    if (action !== 'delete' || object?.namespace === undefined || !isInventoryOperation(operation)) return []
    const install = {namespace: object.namespace, name: object.name.slice(INVENTORY_PREFIX.length)}
    return inventories.some(inventory => isSame(inventory.install, install)) ? [] : [install]
  })
}

function isRemoval({action, precondition}: Operation): boolean {
  return action === 'delete' || (action === 'wait' && precondition !== undefined)
}

/** Reports whether an object has the name that objects of an install have, in any of its versions. */
function isNamed({apiVersion, kind, namespace, name}: ObjectName, install: InstallId): boolean {
  if (kind === 'ClusterRole') {
    return Object.values(ERAS).some(({personaRolePrefix}) =>
      name.startsWith(`${personaRolePrefix}${install.namespace}:${install.name}:`),
    )
  }
  if (kind === 'ClusterRoleBinding') return name === install.name
  if (kind === 'Namespace') return name === install.namespace
  if (namespace !== install.namespace) return false
  return name === install.name || (groupOf(apiVersion) === 'apps' && name.startsWith(install.name))
}

function isSame(one: InstallId, other: InstallId): boolean {
  return one.namespace === other.namespace && one.name === other.name
}
