import {CONCURRENCY} from '../changes/observe-cluster.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {observedObject, type ObservedObject} from '../../health/observed-object.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {DeniedReads} from './denied-reads.js'

/** Reads objects by their names, as far as they exist and may be read; by `objectKey`, in the order of the names. */
export async function readLive(
  names: readonly ObjectName[],
  api: ClusterApi,
  reads: DeniedReads,
): Promise<ReadonlyMap<string, ObservedObject>> {
  const live = new Map<string, ObservedObject>()
  await mapConcurrent(names, CONCURRENCY, async name => {
    const key = objectKey(name)
    const object = await reads.attempt(key, () => api.get(name))
    if (object !== undefined) live.set(key, observedObject(object))
  })
  // In the order of their names, whichever response came first.
  return new Map(
    names.flatMap(name => {
      const [key, object] = [objectKey(name), live.get(objectKey(name))]
      return object === undefined ? [] : [[key, object]]
    }),
  )
}
