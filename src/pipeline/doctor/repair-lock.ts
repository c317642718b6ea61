import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../errors.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {observeLock} from '../../observe/core/observe-lock.js'
import {UNKNOWN_CLUSTER} from '../../plan/cluster/access/read-access.js'
import {planLockRepair} from '../../plan/cluster/core/lock/plan-lock-repair.js'
import type {ClusterChange, Decision} from '../cluster/cluster-change.js'

/**
 * Plans the repair of the Lock of a current Crossplane; without a problem, the plan is empty. Throws `not-found` for a
 * cluster without its kinds, and the errors of the API.
 */
export async function prepareLockRepair(api: ClusterApi): Promise<ClusterChange> {
  const decide = async (): Promise<Decision> => {
    const observed = await observeLock(api)
    if (observed === undefined) throw noCore()
    const {state, problems} = observed
    const objects = [...state.requests, ...state.revisions].map(({object}) => object)
    const live = new Map(objects.map(object => [objectKey(nameOf(object)), object]))
    const plan = planLockRepair(problems, state)
    return {plan, snapshot: {...UNKNOWN_CLUSTER, live}, firstOwners: [], installs: []}
  }
  return {decision: await decide(), decide}
}

function noCore(): CrossplaneError {
  const message = 'cannot repair the Lock: the cluster has no packages for a current Crossplane'
  return new CrossplaneError('not-found', message, {suggestions: ['kubectl crossplane doctor']})
}
