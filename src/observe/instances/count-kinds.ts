import type {ClusterApi, ResourceKind} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {mapConcurrent} from '../../map-concurrent.js'

/** Concurrent lists. */
const CONCURRENCY = 4

/** A kind of custom resources in any version. */
export interface GroupKind {
  /** A key of the caller. */
  readonly name: string
  readonly group: string
  readonly kind: string
}

/**
 * Counts the objects of kinds, by their names: none of a kind that the cluster does not serve, and undefined where the user may
 * not list them, or the server of the group did not answer. Throws the other errors of the API.
 */
export async function countKinds(
  kinds: readonly GroupKind[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, number | undefined>> {
  const {resources, unavailable} = await api.discover()
  const unknown = new Set(unavailable.map(version => version.split('/')[0]))
  const served = new Map(
    resources.map(({group, version, kind}) => [
      `${group}/${kind}`,
      {apiVersion: `${group}/${version}`, kind},
    ]),
  )
  const counts = new Map<string, number | undefined>()
  await mapConcurrent(kinds, CONCURRENCY, async ({name, group, kind}) => {
    const own = served.get(`${group}/${kind}`)
    if (own !== undefined) counts.set(name, await countOf(own, api))
    else counts.set(name, unknown.has(group) ? undefined : 0)
  })
  return counts
}

async function countOf(kind: ResourceKind, api: ClusterApi): Promise<number | undefined> {
  try {
    const objects = api.list(kind, {metadataOnly: true})[Symbol.asyncIterator]()
    let total = 0
    while ((await objects.next()).done !== true) total++
    return total
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'cluster-denied') return undefined
    throw error
  }
}
