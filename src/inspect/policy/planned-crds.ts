import {isCrd} from '../../kubernetes/crd-kind.js'
import {objectKey} from '../../kubernetes/object-key.js'
import {crdChange} from '../../plan/cluster/crds/crd-change.js'
import {otherUsers} from '../../plan/cluster/crds/crd-users.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import type {DesiredObject} from '../../plan/cluster/state/desired-object.js'
import type {Plan} from '../../plan/plan.js'
import type {SetInstall} from '../../render/install-set.js'
import {asObject} from '../../yaml/json-value.js'
import {type CrdVersions, crdDeltas} from './crd-delta.js'
import {type JudgedPlan, judgedOperations} from './judged-plan.js'

/** A plan for a cluster, with what it was made from. */
interface ClusterPlan {
  readonly plan: Pick<Plan, 'operations'>
  readonly installs: readonly SetInstall[]
  readonly desired: readonly DesiredObject[]
  readonly snapshot: ClusterSnapshot
}

/** Returns what rules see of a plan for a cluster. A CRD is dropped when no install uses it any more, though it stays. */
export function judgedClusterPlan({plan, installs, desired, snapshot}: ClusterPlan): JudgedPlan {
  const {operations} = plan
  const changed = desired.flatMap((object): readonly CrdVersions[] => {
    const live = snapshot.live.get(object.key)
    const change = live && crdChange(object, live, snapshot.dryRuns.get(object.key))
    return change === undefined ? [] : [{name: object.name.name, ...change}]
  })
  const wanted = new Set(desired.map(({key}) => key))
  const left = operations.flatMap(({action, object}): readonly CrdVersions[] => {
    if (object === undefined || !isCrd(object) || wanted.has(objectKey(object))) return []
    const live = snapshot.live.get(objectKey(object))
    const isDropped =
      action === 'delete' || (action === 'unclaim' && isUnused(live, object, installs, snapshot))
    return isDropped && live !== undefined ? [{name: object.name, before: asObject(live.spec)}] : []
  })
  const dropped = left.filter(({name}, index) => left.findIndex(one => one.name === name) === index)
  return {
    target: 'cluster',
    operations: judgedOperations(operations),
    crds: crdDeltas([...changed, ...dropped]),
  }
}

type Users = Parameters<typeof otherUsers>

function isUnused(
  live: Users[0] | undefined,
  object: Users[1],
  installs: Users[2],
  snapshot: ClusterSnapshot,
): boolean {
  return live !== undefined && otherUsers(live, object, installs, snapshot).length === 0
}
