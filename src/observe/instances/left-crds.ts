import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {LeftCrd} from '../../cluster/inventory/inventory.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {LeftBehind} from '../../plan/cluster/state/left-behind.js'
import {isUnclaimed} from '../../plan/cluster/inventories/left-crds.js'
import {servedKind} from '../../plan/cluster/crds/lost-instances.js'
import {uidOf} from '../../plan/cluster/state/ownership.js'
import {isClaim} from '../../render/labels.js'
import {DeniedReads} from '../objects/denied-reads.js'
import {CONCURRENCY} from '../objects/read-live.js'

/** The maximum number of CRDs of which the custom resources are counted. */
const MAX_COUNTED = 100

/**
 * Reads the CRDs that an inventory left behind, with the number of their custom resources. Those that were deleted or
 * recreated, or that an install claims again, are omitted. Throws the errors of the API, except denials.
 */
export async function observeLeft(left: readonly LeftCrd[], api: ClusterApi): Promise<readonly LeftBehind[]> {
  const leftCrds = new Map<LeftCrd, LeftBehind>()
  await mapConcurrent(left.slice(0, MAX_COUNTED), CONCURRENCY, async crd => {
    const behind = await behindOf(crd, api)
    if (behind !== undefined) leftCrds.set(crd, behind)
  })
  const others = left.slice(MAX_COUNTED).map(({name}) => ({crd: name, reason: 'there are too many'}))
  return [...left.flatMap(crd => leftCrds.get(crd) ?? []), ...others]
}

/**
 * Finds the CRDs that this program created and that no install claims, whatever inventories remember. Throws the errors
 * of the API.
 */
export async function findUnclaimed(
  inventoried: ReadonlySet<string>,
  api: ClusterApi,
): Promise<readonly LeftBehind[]> {
  const left: LeftCrd[] = []
  for await (const crd of api.list(CRD_KIND, {metadataOnly: true})) {
    if (isUnclaimed(crd, inventoried)) left.push({name: crd.metadata.name, uid: uidOf(crd)})
  }
  return await observeLeft(left, api)
}

async function behindOf({name: crd, uid}: LeftCrd, api: ClusterApi): Promise<LeftBehind | undefined> {
  const reads = new DeniedReads()
  const live = await reads.attempt('crd', () => api.get({...CRD_KIND, name: crd}))
  if (live !== undefined && (uidOf(live) !== uid || isClaimed(live))) return undefined
  const kind = live && servedKind(live.spec)
  if (live !== undefined && kind === undefined) return {crd, reason: 'no version is served'}
  const instances = kind && (await reads.attempt('instances', () => countOf(kind, api)))
  const [denial] = reads.denials.values()
  if (denial !== undefined) return {crd, reason: denial.message}
  return instances === undefined ? undefined : {crd, instances}
}

function isClaimed({metadata}: KubernetesObject): boolean {
  return Object.keys(metadata.labels ?? {}).some(isClaim)
}

async function countOf(kind: Parameters<ClusterApi['list']>[0], api: ClusterApi): Promise<number> {
  let total = 0
  const instances = api.list(kind, {metadataOnly: true})[Symbol.asyncIterator]()
  while ((await instances.next()).done !== true) total++
  return total
}
