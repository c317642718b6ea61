import type {Inventory, InventoryObject} from '../../../cluster/inventory/inventory.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CRD_KIND, isCrd} from '../../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import {type Era, eraOf, ERAS, requestEraOf} from '../../../render/era.js'
import type {InstallId} from '../../../reference/install-id.js'
import {claimLabels} from '../../../render/labels.js'
import {RBAC_GROUP} from '../../../render/rbac.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {PermissionScope} from '../../../unpack/package.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {isOriginal} from '../state/original-objects.js'
import {isCreatedHere, isSameInstall, showsInstall, uidOf} from '../state/ownership.js'

const RBAC = `${RBAC_GROUP}/v1`

/** The kinds of objects that an install has besides records and requests, in the order in which they are created. */
export const LEFTOVER_KINDS = [
  CRD_KIND,
  {apiVersion: 'v1', kind: 'ServiceAccount'},
  {apiVersion: RBAC, kind: 'ClusterRole'},
  {apiVersion: RBAC, kind: 'ClusterRoleBinding'},
  {apiVersion: RBAC, kind: 'RoleBinding'},
  {apiVersion: 'apps/v1', kind: 'Deployment'},
  {apiVersion: 'batch/v1', kind: 'Job'},
] as const

/**
 * Rebuilds the inventory of an install from objects that may belong to it: those that have its name, or name it in
 * labels, owner references or claims. Undefined if there are none.
 */
export function rebuiltInventory(
  id: InstallId,
  era: Era,
  candidates: readonly KubernetesObject[],
): Inventory | undefined {
  const install = {...id, era: era.name}
  const objects = candidates.filter(object => belongsTo(object, install))
  if (objects.length === 0) return undefined
  return {
    install: {...install, scope: scopeOf(objects, era), mode: 'requested', for: {}},
    phase: 'complete',
    toolVersion: '',
    objects: objects.map(object => inventoryObject(object, install)),
  }
}

/** Reports whether the original package manager wrote objects of an install, and may have left others. */
export function hasOriginals({install}: Inventory, {live}: Pick<ClusterSnapshot, 'live'>): boolean {
  return [...live.values()].some(object => isOriginal(object, install))
}

/**
 * Adds objects that an install was created with and that its inventory does not name, such as the job that unpacked its
 * package.
 */
export function withLeftovers(inventory: Inventory, rebuilt: Inventory | undefined): Inventory {
  const keys = new Set(inventory.objects.map(objectKey))
  const more = (rebuilt?.objects ?? []).filter(
    object => object.created === true && !keys.has(objectKey(object)),
  )
  return {...inventory, objects: [...inventory.objects, ...more]}
}

type Install = Parameters<typeof isOriginal>[1]

function belongsTo(live: KubernetesObject, install: Install): boolean {
  const {kind, apiVersion, metadata} = live
  if (eraOf(apiVersion) !== undefined) {
    return isSameInstall({namespace: metadata.namespace ?? '', name: metadata.name}, install)
  }
  if (isCrd({kind})) return isClaimedBy(live, install)
  return isOriginal(live, install) || showsInstall(live, nameOf(live), install)
}

/** Reports whether the labels of a CRD claim it for an install. */
function isClaimedBy({metadata}: KubernetesObject, install: Install): boolean {
  const labels = Object.keys(claimLabels(ERAS[install.era], install))
  return labels.every(label => metadata.labels?.[label] !== undefined)
}

function inventoryObject(live: KubernetesObject, install: Install): InventoryObject {
  const isCreated = isOriginal(live, install) || isCreatedHere(live)
  return {...nameOf(live), uid: uidOf(live), ...(isCreated ? {created: true} : {})}
}

/** The request shows it, or the record; without both, only a Cluster install has a binding of the whole cluster. */
function scopeOf(objects: readonly KubernetesObject[], era: Era): PermissionScope {
  const request = objects.find(object => requestEraOf(object) !== undefined)
  if (request !== undefined) return request.kind === era.kinds.clusterRequest ? 'Cluster' : 'Namespaced'
  const record = objects.find(object => object.kind === era.kinds.record)
  const scope = asText(asObject(record?.spec).permissionScope)
  if (record !== undefined) return scope === 'Cluster' ? 'Cluster' : 'Namespaced'
  return objects.some(({kind}) => kind === 'RoleBinding') ? 'Namespaced' : 'Cluster'
}

/** Rejects the removal of an install that is only known by its objects, unless it is taken over. */
export function lostInventory({namespace, name}: InstallId): Diagnostic {
  return {
    severity: 'error',
    rule: 'inventory-missing',
    message: `the install ${namespace}/${name} has no inventory: another program created the install, or the inventory was deleted`,
    suggestions: ['Pass --adopt to remove the objects that name the install.'],
  }
}
