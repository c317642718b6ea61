import {ownVersions} from '../../../crd/convert/convert-crd.js'
import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import {installRoleName} from '../../../cluster/inventory/system-role.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {isCrd} from '../../../kubernetes/crd-kind.js'
import {objectKey} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {requestEraOf} from '../../../render/era.js'
import type {InstallId} from '../../../reference/install-id.js'
import {listNames} from '../../../text.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {asObject} from '../../../yaml/json-value.js'
import type {Operation, Plan} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {confirmedInstances} from './confirmed-instances.js'
import {otherUsers} from '../crds/crd-users.js'
import {confirmationRejections, instanceRemovals, listedInstances} from '../objects/instance-removal.js'
import {inventoryObject} from '../inventories/inventory-operations.js'
import {kubectlGet} from '../objects/object-reasons.js'
import {foreignClaims, keptUnderManagers} from './kept-crds.js'
import {keptLeft} from '../state/left-behind.js'
import {servingInstalls} from '../crds/lost-instances.js'
import {managerRejection} from '../inventories/managed-installs.js'
import {withFinalizers} from '../state/original-objects.js'
import {crdsOf, isSameInstall, type RememberedObject} from '../state/ownership.js'
import {deletion, inDeletionOrder, joined, type Removals, unclaims} from '../objects/prune.js'
import {impactRejections, isNoImpact, uninstallImpact} from './uninstall-impact.js'
import {sharedInstances} from './shared-instances.js'
import type {UninstallOptions} from '../state/uninstall-options.js'

/**
 * Plans the removal of installs, dependents before the packages that they require: the instances if they are to be
 * deleted, the controllers, their bindings and accounts, the records, the claims on CRDs, the CRDs that no other install
 * claims, the requests, and the roles and inventories last, those of the first install after all others. Anything that would lose data
 * without its own flag is a rejection, and so is the removal of packages that other installs require.
 */
export function planUninstall(
  removed: readonly [Inventory, ...Inventory[]],
  snapshot: ClusterSnapshot,
  options: UninstallOptions,
): Plan {
  const [requested] = removed
  const impact = uninstallImpact(removed, snapshot)
  const listed = listedInstances(snapshot)
  const own = removed.map(inventory => ownDeletions(inventory, snapshot))
  const requests = joined(own.map(([removals]) => removals))
  const others = joined(own.map(([, removals]) => withoutRoles(removals)))
  const roles = joined(own.map(([, removals]) => removals))
  const claimed = removed.flatMap(inventory =>
    inventory.objects.filter(isCrd).map(object => ({inventory, object})),
  )
  const crds = crdRemovals(claimed, snapshot, options)
  const unused = unusedCrds(claimed, crds, snapshot)
  return {
    operations: [
      ...instanceRemovals(listed),
      ...others.operations,
      ...claimed.flatMap(claimedCrd =>
        unclaims(claimedCrd, snapshot, {isUnused: unused.has(objectKey(claimedCrd.object))}),
      ),
      ...crds.operations,
      ...crds.operations.map(operation =>
        absence(operation, 'the CRD and its custom resources must be gone'),
      ),
      ...requests.operations,
      ...[...others.operations, ...requests.operations].map(operation =>
        absence(operation, 'the object must be gone'),
      ),
      ...removed.toReversed().flatMap(inventory => lastRemovals(inventory, roles)),
    ],
    unchanged: 0,
    rejections: [
      ...removed.flatMap(inventory => manager(inventory, snapshot)),
      ...impactRejections(impact, options),
      ...sharedInstances(removed, snapshot),
      ...confirmationRejections(
        listed,
        requested.deleting && confirmedInstances(requested.deleting),
        options,
      ),
      ...losing(removed, snapshot, options).flatMap(crd => unlisted(crd, snapshot, [KEEP])),
      ...crds.operations.flatMap(({object}) => foreignClaims(object, removed, snapshot)),
      ...keptUnderManagers(unused, removed, snapshot),
    ],
    kept: [...others.kept, ...crds.kept, ...requests.kept, ...keptLeft(snapshot.left ?? [])],
    ...(isNoImpact(impact) ? {} : {impact}),
  }
}

/**
 * The system role of an install proves who wrote its inventory, so that these two go last. With the roles of its users
 * would go the permission to list its custom resources, which the deletion of its CRDs needs.
 */
function lastRemovals(inventory: Inventory, {operations}: Removals): readonly Operation[] {
  const isOwn = ({namespace, name}: InstallId) => isSameInstall({namespace, name}, inventory.install)
  const roles = operations.filter(({object}) => {
    const install = object && installRole(object)
    return install !== undefined && isOwn(install)
  })
  return [
    ...roles,
    ...roles.map(operation => absence(operation, 'the object must be gone')),
    inventoryRemoval(inventory),
  ]
}

function withoutRoles({operations, kept}: Removals): Removals {
  return {
    operations: operations.filter(({object}) => object === undefined || installRole(object) === undefined),
    kept,
  }
}

/** The install of which an object is a role, by its name. */
function installRole({kind, name}: ObjectName): InstallId | undefined {
  return kind === 'ClusterRole' ? installRoleName(name) : undefined
}

function inventoryRemoval({install}: Inventory): Operation {
  const object = inventoryObject(install)
  return {action: 'delete', target: CLUSTER_TARGET, object, reason: 'the install is removed'}
}

/** The removals of CRDs, of which several of the installs can use the same. */
function crdRemovals(
  claimed: readonly RememberedObject[],
  snapshot: ClusterSnapshot,
  options: UninstallOptions,
): Removals {
  const removals = new Map<string, Removals>()
  const removed = claimed.map(({inventory}) => inventory.install)
  for (const object of claimed) {
    const key = objectKey(object.object)
    const isDeleted = (removals.get(key)?.operations.length ?? 0) > 0
    if (!isDeleted) removals.set(key, crdRemoval(object, removed, snapshot, options))
  }
  return joined([...removals.values()])
}

/** The CRDs that stay and that no install uses any more, by `objectKey`. */
function unusedCrds(
  claimed: readonly RememberedObject[],
  {operations}: Removals,
  snapshot: ClusterSnapshot,
): ReadonlyMap<string, KubernetesObject> {
  const deleted = new Set(operations.map(({object}) => object && objectKey(object)))
  const installs = claimed.map(({inventory}) => inventory.install)
  return new Map(
    claimed.flatMap(({object}) => {
      const [key, live] = [objectKey(object), snapshot.live.get(objectKey(object))]
      if (live === undefined || deleted.has(key)) return []
      return otherUsers(live, object, installs, snapshot).length > 0 ? [] : [[key, live] as const]
    }),
  )
}

/** The deletions of the objects that belong to one install, and of the requests, which are deleted last. */
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

/** The wait until the object of a deletion is gone. */
function absence({finalizers: _finalizers, ...deletion}: Operation, reason: string): Operation {
  return {...deletion, action: 'wait', reason, precondition: {absent: true}}
}

function crdRemoval(
  remembered: RememberedObject,
  removed: readonly Inventory['install'][],
  snapshot: ClusterSnapshot,
  {customResources}: UninstallOptions,
): Removals {
  const {object} = remembered
  const removal = deletion(remembered, snapshot, 'no other install uses the CRD')
  const live = snapshot.live.get(objectKey(object))
  if (live === undefined || removal.operations.length === 0) return removal
  const users = otherUsers(live, object, removed, snapshot)
  const reason = users.length > 0 ? `used by ${listNames(users)}` : KEPT
  if (users.length === 0 && customResources !== 'keep') return removal
  return {
    operations: [],
    kept: removal.operations.flatMap(operation =>
      operation.object === undefined ? [] : [{object: operation.object, reason}],
    ),
  }
}

const KEPT = 'kept by --custom-resources=keep'

/** The CRDs whose instances must be known: these can be deleted, or lose their controller without --custom-resources=keep. */
function losing(
  removed: readonly Inventory[],
  snapshot: ClusterSnapshot,
  {customResources}: UninstallOptions,
): readonly InventoryObject[] {
  if (customResources === 'keep') return []
  return [...crdsOf(removed)].flatMap(([key, crd]) => {
    const live = snapshot.live.get(key)
    const serving = live === undefined ? [] : servingInstalls(live, key, removed, snapshot)
    return serving.some(({scope}) => scope === 'Cluster') ? [] : [crd]
  })
}

const KEEP = 'Pass --custom-resources=keep to keep the CRD and its custom resources.'

/** Rejects the removal of a CRD without a served version, or of its controller: its instances cannot be listed. */
export function unlisted(
  object: Operation['object'],
  {live}: ClusterSnapshot,
  others: readonly string[] = [],
): Diagnostic[] {
  const liveObject = object && live.get(objectKey(object))
  if (object === undefined || liveObject === undefined) return []
  if (ownVersions(asObject(liveObject.spec)).some(({served}) => served === true)) return []
  return [
    {
      severity: 'error',
      rule: 'instances-not-listed',
      message: `no version of ${object.name} is served, so its custom resources cannot be listed`,
      subject: {object: `${object.kind} ${object.name}`},
      suggestions: [kubectlGet(object), ...others],
    },
  ]
}

/** A package manager recreates, from the record, objects that are deleted before it. */
function manager({install: {namespace, name, era}}: Inventory, {managers}: ClusterSnapshot): Diagnostic[] {
  const running = managers.get(era)
  if (running === undefined) return []
  return [managerRejection(`would create the objects of ${namespace}/${name} again`, running)]
}
