import {CrossplaneError} from '../../errors.js'
import {labelSelectorText} from '../../kubernetes/label-selector.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject} from '../../yaml/json-value.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {deploymentFailure, type DeploymentParts} from '../../health/readiness/deployment-failure.js'
import type {Pending} from './observe.js'

/** The maximum number of Pods to read. */
const MAX_PARTS = 500

/**
 * Looks for the reason in the ReplicaSets and Pods of a Deployment, as far as the user may read them. `now` is in
 * milliseconds since the epoch.
 */
export async function explained(
  api: Pick<ClusterApi, 'list'>,
  pending: Pending,
  now: number,
): Promise<Pending> {
  const {live: deployment, reason} = pending
  if (deployment?.kind !== 'Deployment') return pending
  try {
    const problem = deploymentFailure(await readParts(api, deployment), now)
    return problem === undefined ? pending : {...pending, reason: `${reason}; ${problem.reason}`}
  } catch (error) {
    // The reason is optional: the timeout is reported without it.
    if (error instanceof CrossplaneError) return pending
    throw error
  }
}

/** Reads the ReplicaSets and Pods of a Deployment. Throws the errors of the API. */
async function readParts(
  api: Pick<ClusterApi, 'list'>,
  deployment: KubernetesObject,
): Promise<DeploymentParts> {
  const [replicaSets, pods] = await Promise.all([readReplicaSets(api, deployment), readPods(api, deployment)])
  return {deployment, replicaSets, pods}
}

/** Reads the ReplicaSets of a Deployment, by its selector. Throws the errors of the API. */
export async function readReplicaSets(
  api: Pick<ClusterApi, 'list'>,
  deployment: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  return await readSelected(api, {apiVersion: 'apps/v1', kind: 'ReplicaSet'}, deployment)
}

/** Reads the Pods of a Deployment, by its selector. Throws the errors of the API. */
export async function readPods(
  api: Pick<ClusterApi, 'list'>,
  deployment: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  return await readSelected(api, {apiVersion: 'v1', kind: 'Pod'}, deployment)
}

async function readSelected(
  api: Pick<ClusterApi, 'list'>,
  kind: Parameters<ClusterApi['list']>[0],
  deployment: KubernetesObject,
): Promise<readonly KubernetesObject[]> {
  const namespace = deployment.metadata.namespace ?? ''
  const labelSelector = labelSelectorText(asObject(asObject(deployment.spec).selector))
  const some: KubernetesObject[] = []
  for await (const object of api.list(kind, {namespace, labelSelector})) {
    some.push(object)
    if (some.length >= MAX_PARTS) break
  }
  return some
}
