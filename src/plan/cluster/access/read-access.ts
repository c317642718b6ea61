import type {AccessReview} from '../../../cluster/api/access-reviews.js'
import type {Discovery} from '../../../cluster/api/discovery.js'
import type {Inventory} from '../../../cluster/inventory/inventory.js'
import {CRD_KIND, isCrd} from '../../../kubernetes/crd-kind.js'
import {groupOf, objectKey} from '../../../kubernetes/object-key.js'
import {present} from '../../../present.js'
import {ERAS, pluralOf} from '../../../render/era.js'
import type {InstallId, InstallSet} from '../../../render/install-set.js'
import {RBAC_GROUP} from '../../../render/rbac.js'
import type {Operation} from '../../plan.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {desiredObjects} from '../state/desired-object.js'
import {inventoryObject} from '../inventories/inventory-operations.js'
import {instanceList, type NeededAccess, neededAccess} from './needed-access.js'
import {isSameInstall} from '../state/ownership.js'
import {type InstallOptions, planInstall} from '../plan-install.js'
import {LEFTOVER_KINDS} from '../inventories/rebuilt-inventory.js'
import type {UninstallOptions} from '../state/uninstall-options.js'

/** The snapshot of an unknown cluster. */
export const UNKNOWN_CLUSTER: ClusterSnapshot = {
  live: new Map(),
  dryRuns: new Map(),
  states: new Map(),
  inventories: [],
  ignored: [],
  roles: new Map(),
  unreadable: [],
  served: new Set(),
  managers: new Map(),
  instances: new Map(),
  surveys: new Map(),
  recorded: [],
}

/** Returns the permissions to read the packages of a cluster. */
export function packageAccess(discovery: Discovery): NeededAccess {
  return {reviews: packageReads(discovery), grants: [], creations: []}
}

/** Returns the permissions to find the objects of an install, which may have no inventory. */
export function leftoverAccess({namespace}: InstallId, discovery: Discovery): NeededAccess {
  const reviews = LEFTOVER_KINDS.flatMap(({apiVersion, kind}) => {
    const resource = discovery.find(apiVersion, kind)
    if (resource === undefined) return []
    const {group, plural, namespaced} = resource
    return [{verb: 'list', group, resource: plural, ...(namespaced ? {namespace} : {})}]
  })
  return {reviews: [...packageReads(discovery), ...reviews], grants: [], creations: []}
}

function packageReads(discovery: Discovery): readonly AccessReview[] {
  const kinds = Object.values(ERAS).flatMap(({apiVersion, group, kinds: eraKinds}) =>
    [eraKinds.clusterRequest, eraKinds.namespacedRequest, eraKinds.record]
      .filter(kind => discovery.find(apiVersion, kind) !== undefined)
      .map(kind => ({group, resource: pluralOf(kind)})),
  )
  const others = [
    {group: '', resource: 'configmaps'},
    {group: 'apps', resource: 'deployments'},
    {group: RBAC_GROUP, resource: 'clusterroles'},
  ]
  return [...others, ...kinds].map(resource => ({verb: 'list', ...resource}))
}

/**
 * Returns the permissions that installing a set can require, if the cluster cannot be read yet: all of its objects are
 * created or changed.
 */
export function setAccess(
  set: InstallSet,
  inventories: readonly Inventory[],
  discovery: Discovery,
  options: InstallOptions,
): NeededAccess {
  const {operations} = planInstall(set, UNKNOWN_CLUSTER, options)
  const desired = desiredObjects(set)
  const kept = new Set(desired.map(({key}) => key))
  const stale = inventories
    .filter(({install}) => set.installs.some(setInstall => isSameInstall(setInstall, install)))
    .flatMap(({objects}) => objects.filter(object => !kept.has(objectKey(object))))
  const changes = [...operations.map(asReplaced), ...stale.map(deletion)]
  const {reviews, ...others} = neededAccess({operations: changes}, UNKNOWN_CLUSTER, discovery)
  const places = [...new Set(desired.flatMap(({name}) => name.namespace ?? []))]
  return {
    reviews: [
      ...packageReads(discovery),
      ...places.map(name => ({verb: 'get', group: '', resource: 'namespaces', name})),
      ...servedInstances(changes, discovery),
      ...reviews,
    ],
    ...others,
  }
}

/** The role of a binding cannot be updated, and each version has roles of its own. */
function asReplaced(operation: Operation): Operation {
  const {action, object} = operation
  return action === 'apply' && object?.kind.endsWith('Binding') === true
    ? {...operation, action: 'replace'}
    : operation
}

/** Returns the permissions that removing installs can require, if the cluster cannot be read yet. */
export function removalAccess(
  removed: readonly Inventory[],
  {customResources}: Pick<UninstallOptions, 'customResources'>,
  discovery: Discovery,
): NeededAccess {
  const lists = removed.flatMap(({objects}) => servedInstances(objects.map(deletion), discovery))
  const deletions = ['get', 'delete'].flatMap(verb => lists.map(review => ({...review, verb})))
  return {
    reviews: [
      ...packageReads(discovery),
      ...removed.flatMap(inventory => removalReviews(inventory, discovery)),
      ...(customResources === 'delete' ? deletions : []),
    ],
    grants: [],
    creations: [],
  }
}

/** Returns the permissions that the removal of an install by its package manager can require. */
export function managedRemovalAccess(
  inventory: Inventory,
  options: Pick<UninstallOptions, 'customResources'>,
  discovery: Discovery,
): NeededAccess {
  const {reviews, ...others} = removalAccess([inventory], options, discovery)
  return {reviews: [CRD_LIST, ...reviews], ...others}
}

const CRD_LIST: AccessReview = {
  verb: 'list',
  group: groupOf(CRD_KIND.apiVersion),
  resource: pluralOf(CRD_KIND.kind),
}

function removalReviews(inventory: Inventory, discovery: Discovery): readonly AccessReview[] {
  const {install, objects} = inventory
  const operations = objects.map(deletion)
  const {reviews} = neededAccess(
    {operations: [...operations, {...deletion(inventoryObject(install)), reason: 'the install is removed'}]},
    {live: new Map(), inventories: [inventory]},
    discovery,
  )
  const claims = neededAccess(
    {operations: operations.filter(isOnCrd).map(operation => ({...operation, action: 'unclaim'}))},
    UNKNOWN_CLUSTER,
    discovery,
  )
  return [...servedInstances(operations, discovery), ...claims.reviews, ...reviews]
}

function deletion({apiVersion, kind, namespace, name}: Operation['object'] & object): Operation {
  const object = {apiVersion, kind, ...present({namespace}), name}
  return {action: 'delete', target: CLUSTER_TARGET, object, reason: 'the object is removed'}
}

function isOnCrd({object}: Operation): boolean {
  return isCrd(object)
}

/** The instances of the CRDs that are served already, and change. */
function servedInstances(operations: readonly Operation[], {resources}: Discovery): AccessReview[] {
  const served = new Set(resources.map(({plural, group}) => `${plural}.${group}`))
  return operations
    .filter(operation => isOnCrd(operation) && ['apply', 'delete'].includes(operation.action))
    .flatMap(({object}) => (object !== undefined && served.has(object.name) ? [instanceList(object)] : []))
}
