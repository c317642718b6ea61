import {CRD_KIND, isCrd} from '../../kubernetes/crd-kind.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {crdChange} from '../../plan/cluster/crds/crd-change.js'
import {otherUsers} from '../../plan/cluster/crds/crd-users.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import type {DesiredObject} from '../../plan/cluster/state/desired-object.js'
import {movedCrds, type NewFile} from '../../plan/folder/moved-crds.js'
import {objectIn} from '../../plan/folder/object-in-file.js'
import type {Plan} from '../../plan/plan.js'
import type {SetInstall} from '../../render/install-set.js'
import {asObject, type JsonObject} from '../../yaml/json-value.js'
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

/** A plan for files, with their contents before, by path. */
interface FilePlan {
  readonly target: 'folder' | 'git'
  readonly plan: Pick<Plan, 'operations'>
  readonly files: readonly NewFile[]
  readonly before: ReadonlyMap<string, string>
  /** Whether CRDs without a file stay where the files are applied. */
  readonly keepsDropped?: boolean
}

/** Returns what rules see of a plan for files. */
export function judgedFilePlan({target, plan, files, before, keepsDropped}: FilePlan): JudgedPlan {
  const moved = movedCrds(files, before)
  const changed = files.flatMap(({path = '', content}): readonly CrdVersions[] => {
    const old = before.get(path) ?? before.get(moved.get(path) ?? '')
    // Most files are new or unchanged, and parsing them takes long.
    if (old === undefined || old === content) return []
    const [crd, next] = [objectIn(old, CRD_KIND.kind), objectIn(content, CRD_KIND.kind)]
    return crd === undefined || next === undefined ? [] : [versionsOf(crd, next)]
  })
  const kept = new Set([...files.map(({path}) => path), ...moved.values()])
  const dropped = [...before].flatMap(([path, text]): readonly CrdVersions[] => {
    const crd = kept.has(path) || keepsDropped === true ? undefined : objectIn(text, CRD_KIND.kind)
    return crd === undefined ? [] : [{name: nameOf(crd).name, before: asObject(crd.spec)}]
  })
  return {target, operations: judgedOperations(plan.operations), crds: crdDeltas([...changed, ...dropped])}
}

function versionsOf(crd: JsonObject, next: JsonObject): CrdVersions {
  const [before, after] = [asObject(crd.spec), asObject(next.spec)]
  const {preserveUnknownFields = next.apiVersion !== CRD_KIND.apiVersion} = after
  return {name: nameOf(next).name, before, after, isPruning: preserveUnknownFields === false}
}
