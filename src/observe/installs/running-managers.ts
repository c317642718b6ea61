import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {EraName} from '../../reference/era-name.js'
import {type Era, ERAS} from '../../render/era.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject} from '../../yaml/json-value.js'

/** Finds the original package managers that run in a cluster, as NAMESPACE/NAME. Throws the errors of the API. */
export async function runningManagers(api: ClusterApi): Promise<ReadonlyMap<EraName, string>> {
  const managers = new Map<EraName, string>()
  for (const era of Object.values(ERAS)) {
    const manager = await runningManager(era, api)
    if (manager !== undefined) managers.set(era.name, manager)
  }
  return managers
}

/** Finds the original package manager of an era, as NAMESPACE/NAME, if it runs. Throws the errors of the API. */
export async function runningManager({manager}: Era, api: ClusterApi): Promise<string | undefined> {
  const query = {fieldSelector: `metadata.name=${manager}`}
  for await (const deployment of api.list({apiVersion: 'apps/v1', kind: 'Deployment'}, query)) {
    const {namespace = '', name} = deployment.metadata
    if (isRunning(deployment)) return `${namespace}/${name}`
  }
  return undefined
}

/** Reports whether a Deployment may run: a stopped one has no replicas, neither requested nor remaining. */
export function isRunning({spec, status}: KubernetesObject): boolean {
  return asObject(spec).replicas !== 0 || (asObject(status).replicas ?? 0) !== 0
}
