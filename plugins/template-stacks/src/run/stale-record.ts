import {
  asText,
  type ClusterApi,
  type KubernetesObject,
  type Log,
  nameOf,
  type ObjectCache,
  objectText,
} from 'kubectl-crossplane/plugin'
import {childrenIn, parentIn} from './child-inventory.js'
import {kindText} from './kind-text.js'

/** The ports of the removal of records. */
interface RecordPorts {
  readonly api: Pick<ClusterApi, 'delete' | 'get'>
  readonly log: Log
}

/**
 * Deletes the record of a custom resource that no longer exists: its finalizer was removed by hand, or with its CRD.
 * Garbage collection deletes the objects that it owned; the others stay, and are named.
 */
export async function removeStaleRecord(
  record: KubernetesObject,
  caches: readonly ObjectCache[],
  {api, log}: RecordPorts,
): Promise<void> {
  const parent = parentIn(record)
  const cache = parent && caches.find(({kind}) => kindText(kind) === kindText(parent))
  if (parent === undefined || cache === undefined) return
  await cache.settled
  const isParent = (object: KubernetesObject | undefined) => object?.metadata.uid === parent.uid
  if (isParent(cache.get(parent.name, parent.namespace)) || isParent(await api.get(parent))) return
  await api.delete(nameOf(record), {uid: asText(record.metadata.uid)})
  const left = childrenIn(record)
    .filter(({namespace}) => parent.namespace !== undefined && namespace !== parent.namespace)
    .map(objectText)
  const stay = left.length === 0 ? '' : `; these objects stay: ${left.join(', ')}`
  log({
    level: 'warning',
    message: `${objectText(parent)} is gone without its finalizer: its record is deleted${stay}`,
  })
}
