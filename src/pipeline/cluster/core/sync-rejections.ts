import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {readSources} from '../../../observe/objects/git-sources.js'
import {sourceRejections} from '../../../plan/cluster/core/move-syncs.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {notListing, type SyncSource, syncSources} from '../../../plan/cluster/state/git-sources.js'

/** Returns what Flux or Argo CD would apply again. Their own objects say whether they are paused. */
export async function syncRejections(
  requests: readonly CoreRequest[],
  api: ClusterApi,
): Promise<readonly Diagnostic[]> {
  return await rejectionsOf(requests, api, () => true)
}

/** The same for requests of which it is known that only controllers of this cluster applied them: one that is gone left the tree with them. */
export async function stillSyncing(
  requests: readonly CoreRequest[],
  api: ClusterApi,
): Promise<readonly Diagnostic[]> {
  return await rejectionsOf(requests, api, (_source, objects) => objects.length > 0)
}

async function rejectionsOf(
  requests: readonly CoreRequest[],
  api: ClusterApi,
  counts: (source: SyncSource, objects: readonly KubernetesObject[]) => boolean,
): Promise<readonly Diagnostic[]> {
  const rejections: Diagnostic[] = []
  for (const request of requests)
    for (const source of syncSources(request)) {
      const objects = await readSources(source, api)
      if (counts(source, objects)) rejections.push(...sourceRejections(request, source, objects))
    }
  return rejections
}

/** Returns what applies a request in this cluster, if none of it lists the request yet. */
export async function unlistedIn(
  request: CoreRequest,
  api: ClusterApi,
): Promise<readonly KubernetesObject[]> {
  const sources: KubernetesObject[] = []
  for (const source of syncSources(request)) sources.push(...(await readSources(source, api)))
  return notListing(sources, request)
}

/** Returns what applies requests in a way that cannot be awaited: it is not in this cluster, or does not list what it applied. */
export async function unwaitedRejections(
  requests: readonly CoreRequest[],
  api: ClusterApi,
): Promise<readonly Diagnostic[]> {
  return await rejectionsOf(
    requests,
    api,
    ({kind}, objects) => objects.length === 0 || kind === 'HelmRelease',
  )
}
