import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Inventory} from '../../cluster/inventory/inventory.js'
import type {Denial} from '../../health/health-snapshot.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {readCore} from '../../observe/core/read-core.js'
import {readShownInventories} from '../../observe/installs/read-inventories.js'
import {DeniedReads} from '../../observe/objects/denied-reads.js'
import {readLive} from '../../observe/objects/read-live.js'
import type {CoreState} from '../../plan/cluster/state/core-state.js'
import {present} from '../../present.js'

/** The objects of a cluster that other sides have, or inventories. */
export interface ClusterSide {
  readonly inventories: readonly Inventory[]
  readonly live: ReadonlyMap<string, KubernetesObject>
  /** Missing permissions to read, by the key of the object, or `inventories`. */
  readonly denials: ReadonlyMap<string, Denial>
  /** The packages of Crossplane; absent if they are not compared, or the cluster has none of it. */
  readonly core?: CoreState
}

/** Reads objects and inventories; changes nothing. Throws the errors of the API, except denials. */
export async function clusterSide(
  names: readonly ObjectName[],
  belongs: (inventory: Inventory) => boolean,
  {api, hasXpkgs}: {readonly api: ClusterApi; readonly hasXpkgs: boolean},
): Promise<ClusterSide> {
  const reads = new DeniedReads()
  const read = await reads.attempt('inventories', () => readShownInventories(api))
  const inventories = read?.inventories ?? []
  const inventoried = inventories.filter(belongs).flatMap(({objects}) => objects)
  const live = await readLive([...names, ...inventoried], name =>
    reads.attempt(objectKey(name), () => api.get(name)),
  )
  const core = hasXpkgs ? await reads.attempt('core', () => readCore(api)) : undefined
  return {inventories, live, denials: reads.sortedDenials, ...present({core})}
}
