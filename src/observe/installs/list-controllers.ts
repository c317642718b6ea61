import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {ERAS} from '../../render/era.js'
import {recordSelector} from '../../render/labels.js'
import {asObject} from '../../yaml/json-value.js'
import {ifAllowed} from '../objects/denied-reads.js'

/** The replicas of a controller, as its Deployment has them. */
export interface ControllerReplicas {
  readonly ready: number
  readonly desired: number
}

/**
 * Lists the controllers of a namespace, or of all, by the labels of either era: their replicas by namespace and name of
 * the Deployment; none if the user may not list Deployments. Throws the other errors of the API.
 */
export async function listControllers(
  api: Pick<ClusterApi, 'list'>,
  namespace: string | undefined,
): Promise<ReadonlyMap<string, ControllerReplicas>> {
  const controllers = new Map<string, ControllerReplicas>()
  const read = async () => {
    for (const era of Object.values(ERAS)) {
      const options = {namespace, labelSelector: recordSelector(era)}
      for await (const {metadata, spec, status} of api.list(DEPLOYMENT, options)) {
        const ready = countIn(asObject(status).readyReplicas, 0)
        const desired = countIn(asObject(spec).replicas, 1)
        controllers.set(`${metadata.namespace ?? ''}/${metadata.name}`, {ready, desired})
      }
    }
  }
  await ifAllowed(read, undefined)
  return controllers
}

function countIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

const DEPLOYMENT = {apiVersion: 'apps/v1', kind: 'Deployment'}
