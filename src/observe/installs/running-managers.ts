import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {EraName} from '../../reference/era-name.js'
import {type Era, ERAS, OWN_MANAGER} from '../../render/era.js'
import {RBAC_GROUP} from '../../render/rbac.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {present} from '../../present.js'
import {asObject, asText} from '../../yaml/json-value.js'

/** The package managers that run in a cluster, as NAMESPACE/NAME. */
export interface RunningManagers {
  /** The original ones. */
  readonly managers: ReadonlyMap<EraName, string>
  /** That of this program; absent, too, if it is the observer. */
  readonly ownManager?: string
  /** The Deployments that only have the name of a package manager: their service accounts cannot do its work. */
  readonly impostors: readonly string[]
}

/** Finds the package managers that run in a cluster. Throws the errors of the API. */
export async function observeManagers(
  api: ClusterApi,
  {asManager = false}: Observer = {},
): Promise<RunningManagers> {
  const managers = new Map<EraName, string>()
  const impostors: string[] = []
  for (const era of Object.values(ERAS)) {
    const {able, unable} = await observeDeployments(era.manager, api)
    impostors.push(...unable)
    if (able !== undefined) managers.set(era.name, able)
  }
  if (asManager) return {managers, impostors}
  const {able: ownManager, unable} = await observeDeployments(OWN_MANAGER, api)
  return {managers, ...present({ownManager}), impostors: [...impostors, ...unable]}
}

/** Who observes a cluster. */
export interface Observer {
  /** Whether it is the package manager of this program, which does not wait for itself, and reads no requests of others. */
  readonly asManager?: boolean
}

/** The first Deployment of a name that can do the work of a package manager, and all that cannot. */
async function observeDeployments(name: string, api: ClusterApi) {
  let able: string | undefined
  const unable: string[] = []
  for await (const {id, isAble} of deployedManagers(name, api)) {
    if (isAble) able ??= id
    else unable.push(id)
  }
  return {able, unable}
}

/** Finds the original package managers that run in a cluster, as NAMESPACE/NAME. Throws the errors of the API. */
export async function runningManagers(api: ClusterApi): Promise<ReadonlyMap<EraName, string>> {
  return (await observeManagers(api)).managers
}

/** Finds the original package manager of an era, as NAMESPACE/NAME, if it runs. Throws the errors of the API. */
export async function runningManager(era: Era, api: ClusterApi): Promise<string | undefined> {
  return await ableManager(era.manager, api)
}

/** Finds the package manager of this program, as NAMESPACE/NAME, if it runs. Throws the errors of the API. */
export async function ownManager(api: ClusterApi): Promise<string | undefined> {
  return await ableManager(OWN_MANAGER, api)
}

async function ableManager(name: string, api: ClusterApi): Promise<string | undefined> {
  for await (const {id, isAble} of deployedManagers(name, api)) if (isAble) return id
  return undefined
}

interface DeployedManager {
  readonly id: string
  readonly isAble: boolean
}

/** The running Deployments that have the name of a package manager, and whether they can do its work. */
async function* deployedManagers(name: string, api: ClusterApi): AsyncIterable<DeployedManager> {
  const query = {fieldSelector: `metadata.name=${name}`}
  for await (const deployment of api.list({apiVersion: 'apps/v1', kind: 'Deployment'}, query)) {
    if (!isRunning(deployment)) continue
    const {namespace = ''} = deployment.metadata
    yield {id: `${namespace}/${name}`, isAble: await isManager(deployment, api)}
  }
}

/** Anyone may name a Deployment; only an administrator lets a service account create ClusterRoleBindings. */
async function isManager({spec, metadata}: KubernetesObject, api: ClusterApi): Promise<boolean> {
  const pod = asObject(asObject(asObject(spec).template).spec)
  const account = asText(pod.serviceAccountName) || asText(pod.serviceAccount) || 'default'
  return await api.isAccountAllowed(
    {namespace: metadata.namespace ?? '', name: account},
    {verb: 'create', group: RBAC_GROUP, resource: 'clusterrolebindings'},
  )
}

/** Reports whether a Deployment may run: a stopped one has no replicas, neither requested nor remaining. */
export function isRunning({spec, status}: KubernetesObject): boolean {
  return asObject(spec).replicas !== 0 || (asObject(status).replicas ?? 0) !== 0
}
