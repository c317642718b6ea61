import {CrossplaneError} from '../../errors.js'
import {labelSelectorText} from '../../kubernetes/label-selector.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {asObject} from '../../yaml/json-value.js'
import type {ClusterApi} from '../api/cluster-api.js'
import {deploymentFailure, type DeploymentParts} from './deployment-failure.js'
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
  const {found: deployment, reason} = pending
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
export async function readParts(
  api: Pick<ClusterApi, 'list'>,
  deployment: KubernetesObject,
): Promise<DeploymentParts> {
  const namespace = deployment.metadata.namespace ?? ''
  const labelSelector = labelSelectorText(asObject(asObject(deployment.spec).selector))
  const read = (apiVersion: string, kind: string) =>
    readSome(api.list({apiVersion, kind}, {namespace, labelSelector}))
  const [replicaSets, pods] = await Promise.all([read('apps/v1', 'ReplicaSet'), read('v1', 'Pod')])
  return {deployment, replicaSets, pods}
}

async function readSome(objects: AsyncIterable<KubernetesObject>): Promise<readonly KubernetesObject[]> {
  const some: KubernetesObject[] = []
  for await (const object of objects) {
    some.push(object)
    if (some.length >= MAX_PARTS) break
  }
  return some
}
