import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import type {Clock} from '../http/clock.js'
import {objectText} from '../kubernetes/object-key.js'
import type {Operation} from '../plan/plan.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject, asObjects} from '../yaml/json-value.js'
import {expectsAbsence, nameIn} from './operation-parts.js'

/** Waits until all objects are ready. */
export async function untilReady(
  operations: readonly Operation[],
  api: ClusterApi,
  clock: Clock,
  timeout: number,
): Promise<void> {
  const end = clock.now() + timeout
  for (const operation of operations) {
    for (;;) {
      const live = await api.get(nameIn(operation))
      if (expectsAbsence(operation) ? live === undefined : live !== undefined && isReady(live)) break
      if (clock.now() > end)
        throw new CrossplaneError('timeout', `${objectText(nameIn(operation))} is not ready`)
      await clock.sleep(200)
    }
  }
}

function isReady({kind, status}: KubernetesObject): boolean {
  const type = kind === 'Deployment' ? 'Available' : 'Established'
  return asObjects(asObject(status).conditions).some(each => each.type === type && each.status === 'True')
}
