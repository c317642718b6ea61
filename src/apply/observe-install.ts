import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {claimManager, isAppliedBy} from '../cluster/claims.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {objectKey} from '../kubernetes/object-key.js'
import type {ClusterSnapshot} from '../plan/cluster/cluster-snapshot.js'
import {otherUsers} from '../plan/cluster/crd-users.js'
import {counted, type InstanceCount, instanceName} from '../plan/cluster/instance-survey.js'
import {isSameInstall} from '../plan/cluster/ownership.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonValue} from '../yaml/json-value.js'
import {CONCURRENCY} from './observe-cluster.js'
import {isCrd} from './list-crds.js'
import {readInventories} from './read-inventories.js'
import {readOutlines} from './read-outlines.js'
import {recordedKinds} from './recorded-kinds.js'
import {runningManagers} from './running-managers.js'
import {mapConcurrent} from '../registry/map-concurrent.js'

/** Reads all that planning the removal of an install takes; changes nothing. */
export async function observeInstall(inventory: Inventory, api: ClusterApi): Promise<ClusterSnapshot> {
  const [{inventories, unreadable}, live, recorded, managers] = await Promise.all([
    readInventories(api),
    readOutlines(inventory.objects, api),
    recordedKinds(api),
    runningManagers(api),
  ])
  return {
    live,
    dryRuns: new Map(),
    states: new Map(),
    inventories,
    unreadable,
    served: new Set(),
    managers,
    surveys: new Map(),
    instances: await countInstances(inventory, {inventories, live, recorded}, api),
    recorded,
  }
}

/**
 * Counts the instances that lose what serves them, of each CRD that the install uses. Where no other install uses the CRD,
 * it is deleted with the instances of all namespaces.
 */
async function countInstances(
  {install, objects}: Inventory,
  snapshot: Pick<ClusterSnapshot, 'inventories' | 'live' | 'recorded'>,
  api: ClusterApi,
): Promise<ReadonlyMap<string, InstanceCount>> {
  const others = snapshot.inventories.filter(
    other => !isSameInstall(other.install, install) && other.install.scope === 'Cluster',
  )
  const isServed = (found: KubernetesObject, key: string) =>
    others.some(
      other =>
        other.objects.some(each => objectKey(each) === key) &&
        // Anyone who may edit ConfigMaps can name a CRD in an inventory: the claim has to be on the CRD.
        isAppliedBy(found, claimManager(other.install)),
    )
  const crds = objects.filter(isCrd)
  const counts = new Map<string, InstanceCount>()
  await mapConcurrent(crds, CONCURRENCY, async crd => {
    const key = objectKey(crd)
    const found = snapshot.live.get(key)
    if (found === undefined || isServed(found, key)) return
    const isShared = otherUsers(found, crd, [install], snapshot).length > 0
    const namespace = install.scope === 'Namespaced' && isShared ? install.namespace : undefined
    counts.set(key, await countOf(found, api, namespace))
  })
  return counts
}

async function countOf(
  {spec}: KubernetesObject,
  api: ClusterApi,
  namespace: string | undefined,
): Promise<InstanceCount> {
  const kind = kindOf(spec)
  if (kind === undefined) return {total: 0, first: []}
  const within = asObject(spec).scope === 'Namespaced' ? namespace : undefined
  let count: InstanceCount = {total: 0, first: []}
  for await (const object of api.list(kind, {namespace: within, metadataOnly: true})) {
    count = counted(count, instanceName(object))
  }
  return count
}

/** The kind that a CRD defines, in a version that is served. */
export function kindOf(
  spec: JsonValue | undefined,
): {readonly apiVersion: string; readonly kind: string} | undefined {
  const {group, names, versions} = asObject(spec)
  const served = asObjects(versions).find(version => version.served === true)
  if (served === undefined) return undefined
  return {apiVersion: `${asText(group)}/${asText(served.name)}`, kind: asText(asObject(names).kind)}
}
