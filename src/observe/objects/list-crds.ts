import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {failureOf} from '../../cluster/api/cluster-failure.js'
import {isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/**
 * Reads the metadata of the CRDs among objects, by `objectKey`, from a list of all CRDs: the number of requests does
 * not grow with theirs. Returns undefined for a user who may read CRDs only by name. Throws the errors of the API.
 */
export async function listCrds(
  names: readonly ObjectName[],
  api: ClusterApi,
): Promise<ReadonlyMap<string, KubernetesObject> | undefined> {
  const requested = new Set(names.filter(isCrd).map(objectKey))
  const crds = new Map<string, KubernetesObject>()
  const first = names.find(isCrd)
  if (first === undefined) return crds
  try {
    for await (const crd of api.list(first, {metadataOnly: true})) {
      const key = objectKey(nameOf(crd))
      if (requested.has(key)) crds.set(key, crd)
    }
  } catch (error) {
    if (failureOf(error)?.status === 403) return undefined
    throw error
  }
  return crds
}
