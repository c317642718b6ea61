import {ownVersions} from '../../crd/convert/convert-crd.js'
import type {Inventory, InventoryObject} from '../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../diagnostic.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {objectKey} from '../../kubernetes/object-key.js'
import {requestEraOf} from '../../render/era.js'
import {listNames} from '../../text.js'
import {asObject} from '../../yaml/json-value.js'
import type {Operation, Plan} from '../plan.js'
import type {ClusterSnapshot} from './cluster-snapshot.js'
import {CLUSTER_TARGET} from './cluster-target-name.js'
import {otherUsers} from './crd-users.js'
import {confirmationRejections, instanceRemovals, listedInstances} from './instance-removal.js'
import {inventoryObject} from './inventory-operations.js'
import {kubectlGet} from './judge-object.js'
import {managerRejection} from './managed-installs.js'
import {withFinalizers} from './original-objects.js'
import type {RememberedObject} from './ownership.js'
import {deletion, inDeletionOrder, joined, type Removals, unclaims} from './prune.js'
import {impactRejections, isNoImpact, uninstallImpact} from './uninstall-impact.js'
import type {UninstallOptions} from './uninstall-options.js'

/**
 * Decides how an install is removed: the instances if they are to be deleted, the controller, its permissions, the record,
 * the claims on CRDs, the CRDs that no other install claims, the request, and the inventory last. Anything that would lose
 * data without its own flag is a rejection, and so is the removal of what other installs require.
 */
export function planUninstall(
  inventory: Inventory,
  snapshot: ClusterSnapshot,
  options: UninstallOptions,
): Plan {
  const crds = inventory.objects.filter(isCrd)
  const impact = uninstallImpact([inventory], snapshot)
  const listed = listedInstances(snapshot)
  const [requests, others] = ownDeletions(inventory, snapshot)
  const crdRemovals = joined(crds.map(object => crdRemoval({inventory, object}, snapshot, options)))
  return {
    operations: [
      ...instanceRemovals(listed),
      ...others.operations,
      ...crds.flatMap(object => unclaims({inventory, object}, snapshot)),
      ...crdRemovals.operations,
      ...crdRemovals.operations.map(each => absence(each, 'the CRD and its instances must be gone')),
      ...requests.operations,
      ...[...others.operations, ...requests.operations].map(each => absence(each, 'the object must be gone')),
      {
        action: 'delete',
        target: CLUSTER_TARGET,
        object: inventoryObject(inventory.install),
        reason: 'the install is removed',
      },
    ],
    unchanged: 0,
    rejections: [
      ...manager(inventory, snapshot),
      ...impactRejections(impact, options),
      ...confirmationRejections(listed, inventory, options),
      ...crdRemovals.operations.flatMap(({object}) => unlisted(object, snapshot)),
    ],
    kept: [...others.kept, ...crdRemovals.kept, ...requests.kept],
    ...(isNoImpact(impact) ? {} : {impact}),
  }
}

/** What becomes of the requests, which go last, and of the other objects that belong to one install. */
function ownDeletions(inventory: Inventory, snapshot: ClusterSnapshot): readonly [Removals, Removals] {
  const own = inDeletionOrder(inventory.objects.filter(object => !isCrd(object)))
  const removed = (objects: readonly InventoryObject[]) => {
    const {operations, kept} = joined(
      objects.map(object => deletion({inventory, object}, snapshot, 'the object belongs to the install')),
    )
    return {operations: withFinalizers(operations, snapshot), kept}
  }
  const isRequest = (object: InventoryObject) => requestEraOf(object) !== undefined
  return [removed(own.filter(isRequest)), removed(own.filter(object => !isRequest(object)))]
}

/** The wait until what an operation deletes is gone. */
function absence({finalizers: _finalizers, ...deletion}: Operation, reason: string): Operation {
  return {...deletion, action: 'wait', reason, precondition: {absent: true}}
}

function crdRemoval(
  remembered: RememberedObject,
  snapshot: ClusterSnapshot,
  {customResources}: UninstallOptions,
): Removals {
  const {inventory, object} = remembered
  const removal = deletion(remembered, snapshot, 'no other install uses the CRD')
  const live = snapshot.live.get(objectKey(object))
  if (live === undefined || removal.operations.length === 0) return removal
  const users = otherUsers(live, object, [inventory.install], snapshot)
  const reason = users.length > 0 ? `used by ${listNames(users)}` : KEPT
  if (users.length === 0 && customResources !== 'keep') return removal
  return {
    operations: [],
    kept: removal.operations.flatMap(each =>
      each.object === undefined ? [] : [{object: each.object, reason}],
    ),
  }
}

const KEPT = 'it is kept with --custom-resources=keep'

/** Rejects the deletion of a CRD without a served version: its instances cannot be listed. */
export function unlisted(object: Operation['object'], {live}: ClusterSnapshot): Diagnostic[] {
  const found = object && live.get(objectKey(object))
  if (object === undefined || found === undefined) return []
  if (ownVersions(asObject(found.spec)).some(({served}) => served === true)) return []
  return [
    {
      severity: 'error',
      rule: 'instances-not-listed',
      message: `no version of ${object.name} is served, so that its instances cannot be listed`,
      subject: {object: `${object.kind} ${object.name}`},
      suggestions: [kubectlGet(object)],
    },
  ]
}

/** A package manager creates again, from the record, what is deleted before it. */
function manager({install: {namespace, name, era}}: Inventory, {managers}: ClusterSnapshot): Diagnostic[] {
  const running = managers.get(era)
  if (running === undefined) return []
  return [managerRejection(`would create the objects of ${namespace}/${name} again`, running)]
}
