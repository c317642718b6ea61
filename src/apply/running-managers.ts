import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {type EraName, ERAS} from '../render/era.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject} from '../yaml/json-value.js'

/** Finds the original package managers that run in a cluster, as NAMESPACE/NAME. Throws what the API throws. */
export async function runningManagers(api: ClusterApi): Promise<ReadonlyMap<EraName, string>> {
  const managers = new Map<EraName, string>()
  for (const {name, manager} of Object.values(ERAS)) {
    const query = {fieldSelector: `metadata.name=${manager}`}
    for await (const deployment of api.list({apiVersion: 'apps/v1', kind: 'Deployment'}, query)) {
      const {namespace = '', name: found} = deployment.metadata
      if (!managers.has(name) && isRunning(deployment)) managers.set(name, `${namespace}/${found}`)
    }
  }
  return managers
}

/** One that is stopped has no replicas, neither requested nor left; whatever else it says, it may run. */
function isRunning({spec, status}: KubernetesObject): boolean {
  return asObject(spec).replicas !== 0 || (asObject(status).replicas ?? 0) !== 0
}
