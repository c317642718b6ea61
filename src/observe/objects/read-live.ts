import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {mapConcurrent} from '../../map-concurrent.js'

/** Concurrent requests. */
export const CONCURRENCY = 8

/** Reads objects by their names, each once; those that exist, by `objectKey`, in the order of the names. */
export async function readLive<T>(
  names: readonly ObjectName[],
  read: (name: ObjectName) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const byKey = new Map(names.map(name => [objectKey(name), name]))
  const live = new Map<string, T>()
  await mapConcurrent([...byKey], CONCURRENCY, async ([key, name]) => {
    const object = await read(name)
    if (object !== undefined) live.set(key, object)
  })
  // In the order of their names, whichever response came first.
  return new Map(
    [...byKey.keys()].flatMap(key => {
      const object = live.get(key)
      return object === undefined ? [] : [[key, object]]
    }),
  )
}

/** Reads the objects that exist, each once. */
export async function readObjects(
  names: readonly ObjectName[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, KubernetesObject>> {
  return await readLive(names, name => api.get(name))
}
