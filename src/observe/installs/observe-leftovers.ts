import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import {LEFTOVER_KINDS, rebuiltInventory} from '../../plan/cluster/inventories/rebuilt-inventory.js'
import {type Era, ERAS} from '../../render/era.js'
import type {InstallId} from '../../reference/install-id.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/**
 * Rebuilds the inventory of an install from its objects in the cluster, for the era of its record or request if there
 * is one. Undefined if there are no objects. Throws the errors of the API.
 */
export async function observeLeftovers(id: InstallId, api: ClusterApi): Promise<Inventory | undefined> {
  const others = await readOthers(id, api)
  const rebuilt: Inventory[] = []
  for (const era of Object.values(ERAS)) {
    const own = await readOwn(id, era, api)
    const inventory = rebuiltInventory(id, era, [...others, ...own])
    if (inventory !== undefined && own.length > 0) return inventory
    if (inventory !== undefined) rebuilt.push(inventory)
  }
  return rebuilt[0]
}

/** Reports whether an install has a record or a request, of any era. Throws the errors of the API. */
export async function hasOwnObjects(id: InstallId, api: ClusterApi): Promise<boolean> {
  for (const era of Object.values(ERAS)) if ((await readOwn(id, era, api)).length > 0) return true
  return false
}

/** The definition and the record of an install, and its request. */
async function readOwn(id: InstallId, era: Era, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const {definition, record, clusterRequest, namespacedRequest} = era.kinds
  const leftovers: KubernetesObject[] = []
  for (const kind of [definition, record, clusterRequest, namespacedRequest]) {
    const object = await api.get({apiVersion: era.apiVersion, kind, ...id})
    if (object !== undefined) leftovers.push(object)
  }
  return leftovers
}

/** The metadata of all objects that can name the install: those in its namespace, and cluster-scoped ones. */
async function readOthers({namespace}: InstallId, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const leftovers: KubernetesObject[] = []
  for (const kind of LEFTOVER_KINDS) {
    const isNamespaced = (await api.resource(kind))?.namespaced === true
    const place = isNamespaced ? {namespace} : {}
    for await (const object of api.list(kind, {...place, metadataOnly: true})) leftovers.push(object)
  }
  return leftovers
}
