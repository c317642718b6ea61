import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'

/** The kinds by which users protect objects: those of Crossplane 2, and the one of before. */
const USAGES = [
  {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage'},
  {apiVersion: 'protection.crossplane.io/v1beta1', kind: 'Usage'},
  {apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'Usage'},
]

/** Reads all Usages and ClusterUsages of a cluster, each once. Throws the errors of the API. */
export async function readUsages(api: Pick<ClusterApi, 'list'>): Promise<readonly KubernetesObject[]> {
  const usages: KubernetesObject[] = []
  for (const kind of USAGES) for await (const usage of api.list(kind)) usages.push(usage)
  return usages
}
