import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import type {XpkgSetObject} from '../../../render/xpkg/xpkg-set.js'
import type {Operation, Plan} from '../../plan.js'
import type {Allowances, Judgement} from '../objects/judge-object.js'
import type {ClusterSnapshot} from '../state/cluster-snapshot.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import {type DesiredObject, desiredObjects} from '../state/desired-object.js'
import {judgePackageObject} from './judge-package-object.js'

/** An object of a set for a core, and its stage. */
export interface StagedObject {
  readonly stage: number
  readonly desired: DesiredObject
}

/** The objects of a set, as a cluster gets them. */
export function stagedObjects(
  objects: readonly Pick<XpkgSetObject, 'stage' | 'object'>[],
): readonly StagedObject[] {
  return objects.flatMap(({stage, object}) =>
    desiredObjects({
      objects: [{object, phase: stage === 0 ? 'identity' : 'records'}],
      installs: [],
      warnings: [],
    }).map(desired => ({stage, desired})),
  )
}

/** What the plan of a set is made from, besides the set. */
export interface PackagePlanInput {
  readonly snapshot: Pick<ClusterSnapshot, 'live' | 'dryRuns' | 'sources'>
  /** Reports whether an object that stays as it is is not ready. */
  readonly isPending: (live: KubernetesObject) => boolean
  /** Reports whether nothing waits for an object, whether it changes or not. */
  readonly isLeft?: (name: ObjectName) => boolean
  readonly allowed: Pick<Allowances, 'adopt' | 'forceConflicts' | 'inGit'>
  /** Rejections and risks of objects, by their keys. */
  readonly risks: ReadonlyMap<string, readonly Diagnostic[]>
  readonly rejections: readonly Diagnostic[]
}

/**
 * Plans the operations that request a set of packages: a stage after the other, each of which waits until its packages are
 * installed and healthy.
 */
export function planPackages(objects: readonly StagedObject[], input: PackagePlanInput): Plan {
  const judged = objects.map(({stage, desired}) => ({
    stage,
    desired,
    judgement: judgePackageObject(desired, input.snapshot, input.allowed),
  }))
  const stages = [...new Set(judged.map(({stage}) => stage))].sort((a, b) => a - b)
  return {
    operations: stages.flatMap(stage =>
      stageOperations(
        judged.filter(one => one.stage === stage),
        stage,
        input,
      ),
    ),
    unchanged: judged.filter(({judgement}) => judgement.kind === 'unchanged').length,
    rejections: [
      ...input.rejections,
      ...judged.flatMap(({judgement}) => (judgement.kind === 'rejected' ? [judgement.rejection] : [])),
    ],
  }
}

interface Judged extends StagedObject {
  readonly judgement: Judgement
}

function stageOperations(
  judged: readonly Judged[],
  stage: number,
  input: PackagePlanInput,
): readonly Operation[] {
  const changes = judged.flatMap(({desired, judgement}): readonly Operation[] => {
    if (judgement.kind !== 'change') return []
    const risks = input.risks.get(desired.key) ?? []
    return [risks.length === 0 ? judgement.operation : withRisks(judgement.operation, risks)]
  })
  if (stage === 0) return changes
  const awaited = judged.filter(({desired, judgement}) => {
    if (input.isLeft?.(desired.name) === true) return false
    const live = input.snapshot.live.get(desired.key)
    if (judgement.kind === 'change') return true
    return judgement.kind === 'unchanged' && live !== undefined && input.isPending(live)
  })
  return [...changes, ...awaited.map(({desired}) => waitOperation(desired))]
}

/** The text of an operation is made when it is read. */
function withRisks(operation: Operation, risks: readonly Diagnostic[]): Operation {
  return {...operation, risks}
}

function waitOperation({name, phase}: DesiredObject): Operation {
  const reason = 'the package must be installed and healthy'
  return {action: 'wait', target: CLUSTER_TARGET, object: name, phase, reason}
}
