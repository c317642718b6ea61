import type {ClusterApi} from '../cluster/api/cluster-api.js'
import type {Inventory} from '../cluster/inventory/inventory.js'
import {groupOf, objectKey} from '../kubernetes/object-key.js'
import type {ClusterSnapshot, InstanceCount, RecordedKinds} from '../plan/cluster/cluster-snapshot.js'
import {isSameInstall} from '../plan/cluster/ownership.js'
import {ERAS} from '../render/era.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonValue} from '../yaml/json-value.js'
import {CONCURRENCY, readObjects} from './observe-cluster.js'
import {readInventories} from './read-inventories.js'
import {mapConcurrent} from '../registry/map-concurrent.js'

/** Reads all that planning the removal of an install takes; changes nothing. */
export async function observeInstall(inventory: Inventory, api: ClusterApi): Promise<ClusterSnapshot> {
  const inventories = await readInventories(api)
  const live = await readObjects(inventory.objects, api)
  return {
    live,
    dryRuns: new Map(),
    states: new Map(),
    inventories,
    served: new Set(),
    instances: await countInstances(inventory, inventories, live, api),
    recorded: await recordedKinds(api),
  }
}

/** Counts the instances that lose what serves them, of each CRD that the install uses. */
async function countInstances(
  {install, objects}: Inventory,
  inventories: readonly Inventory[],
  live: ReadonlyMap<string, KubernetesObject>,
  api: ClusterApi,
): Promise<ReadonlyMap<string, InstanceCount>> {
  const others = inventories.filter(
    other => !isSameInstall(other.install, install) && other.install.scope === 'Cluster',
  )
  const served = new Set(others.flatMap(other => other.objects.map(objectKey)))
  const crds = objects.filter(({kind}) => kind === 'CustomResourceDefinition')
  const counts = new Map<string, InstanceCount>()
  await mapConcurrent(crds, CONCURRENCY, async crd => {
    const key = objectKey(crd)
    const found = live.get(key)
    if (found === undefined || served.has(key)) return
    const namespace = install.scope === 'Cluster' ? undefined : install.namespace
    counts.set(key, await countOf(found, api, namespace))
  })
  return counts
}

/** How many names a message shows. */
const SHOWN = 20

async function countOf(
  {spec}: KubernetesObject,
  api: ClusterApi,
  namespace: string | undefined,
): Promise<InstanceCount> {
  let total = 0
  const first: string[] = []
  const kind = kindOf(spec)
  if (kind === undefined) return {total, first}
  const within = asObject(spec).scope === 'Namespaced' ? namespace : undefined
  for await (const {metadata} of api.list(kind, {namespace: within, metadataOnly: true})) {
    total += 1
    const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
    if (first.length < SHOWN) first.push(name)
  }
  return {total, first}
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

/** The kinds that package records name, of both eras: a CRD that one names is in use. */
async function recordedKinds(api: ClusterApi): Promise<readonly RecordedKinds[]> {
  const recorded: RecordedKinds[] = []
  for (const {apiVersion, kinds} of Object.values(ERAS)) {
    for await (const {metadata, spec} of api.list({apiVersion, kind: kinds.record})) {
      recorded.push({
        namespace: metadata.namespace ?? '',
        name: metadata.name,
        kinds: asObjects(asObject(spec).customresourcedefinitions).map(
          each => `${groupOf(asText(each.apiVersion))} ${asText(each.kind)}`,
        ),
      })
    }
  }
  return recorded
}
