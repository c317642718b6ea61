import {CONCURRENCY} from '../../observe/objects/read-live.js'
import {
  type Checked,
  dryRunOperation,
  type EarlierChanges,
  earlierChanges,
} from '../../apply/dry-run-operation.js'
import {contentIn, expectsAbsence, isOnCrd, nameIn} from '../../apply/operation-parts.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {Diagnostic} from '../../diagnostic.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import {isInventoryOperation} from '../../plan/cluster/inventories/inventory-operations.js'
import {contentOf} from '../../plan/cluster/state/live-object.js'
import type {Operation} from '../../plan/plan.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {jsonEqual} from '../../yaml/json-equal.js'
import {asObject, asObjects, type JsonObject} from '../../yaml/json-value.js'
import type {Decision} from './cluster-change.js'
import {rejectionOf} from './dry-run-plan.js'
import {maskSecrets, type Versions} from '../../plan/cluster/state/mask-secrets.js'

/** An object that a change affects: as it is, and as it would be. The values of Secrets are masked. */
export interface ObjectDiff extends Versions {
  readonly object: ObjectName
  readonly change: 'create' | 'update' | 'replace' | 'delete'
  readonly reason: string
  /** The reason why `after` is as rendered, and not as the API server returned it to a dry run. */
  readonly unchecked?: string
}

/** The contents that a change of a cluster affects, in the order of its plan, and the reasons why it cannot be applied. */
export interface ClusterDiff {
  readonly objects: readonly ObjectDiff[]
  readonly unchanged: number
  readonly rejections: readonly Diagnostic[]
}

/** The files of an object for a diff program; undefined where the object does not exist. */
export interface DiffFile {
  readonly name: string
  readonly before?: string
  readonly after?: string
}

/** Runs a diff program, with its arguments, on two temporary folders of files; returns its exit status. */
export type DiffProgram = (command: readonly string[], files: readonly DiffFile[]) => Promise<number>

/** Compares the objects of a cluster with a plan, by dry runs; changes nothing. Throws the errors of the API. */
export async function diffCluster({plan, snapshot}: Decision, api: ClusterApi): Promise<ClusterDiff> {
  const earlier = earlierChanges(plan)
  const groups = [...operationsByObject(plan.operations)]
  const compared = new Map<string, Compared>()
  await mapConcurrent(groups, CONCURRENCY, async ([key, operations]) => {
    const steps = await Promise.all(
      operations.map(async operation => ({
        operation,
        checked: await check(operation, snapshot, earlier, api),
      })),
    )
    compared.set(key, {
      diff: objectDiff(snapshot.live.get(key), steps),
      rejections: steps.flatMap(({operation, checked}) => rejectionOf(operation, checked)),
    })
  })
  const inOrder = groups.flatMap(([key]) => compared.get(key) ?? [])
  return {
    objects: inOrder.flatMap(({diff}) => diff ?? []),
    unchanged: plan.unchanged,
    rejections: [...plan.rejections, ...inOrder.flatMap(({rejections}) => rejections)],
  }
}

interface Compared {
  readonly diff: ObjectDiff | undefined
  readonly rejections: readonly Diagnostic[]
}

/** One operation on an object, and the server's answer to its dry run. */
interface Step {
  readonly operation: Operation
  readonly checked: Checked
}

/** The operations that change contents; inventories are internal records of this program. */
function operationsByObject(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    if (operation.action === 'wait' || isInventoryOperation(operation)) continue
    const key = objectKey(nameIn(operation))
    groups.set(key, [...(groups.get(key) ?? []), operation])
  }
  return groups
}

/** The snapshot has the dry runs of most objects that exist. */
async function check(
  operation: Operation,
  {dryRuns}: ClusterSnapshot,
  earlier: EarlierChanges,
  api: ClusterApi,
): Promise<Checked> {
  const dryRun = dryRuns.get(objectKey(nameIn(operation)))
  if (operation.action === 'apply' && dryRun?.kind === 'applied') {
    return {kind: 'accepted', object: dryRun.object}
  }
  return await dryRunOperation(operation, earlier, api)
}

/** Undefined if the contents stay as they are: the plan changes only who owns them. */
function objectDiff(live: JsonObject | undefined, steps: readonly Step[]): ObjectDiff | undefined {
  // The claims of a CRD that is replaced are removed first.
  const main = steps.find(({operation: {action}}) => action === 'replace' || action === 'delete') ?? steps[0]
  if (main === undefined) return undefined
  const before = live && contentOf(live)
  const after = steps.reduce(afterStep, before)
  if (jsonEqual(before, after)) return undefined
  const {operation, checked} = main
  return {
    object: nameIn(operation),
    change: changeOf(operation, before),
    reason: operation.reason,
    ...(checked.kind === 'unchecked' ? {unchecked: checked.why} : {}),
    ...maskSecrets({before, after}),
  }
}

function changeOf({action}: Operation, before: JsonObject | undefined): ObjectDiff['change'] {
  if (action === 'delete' || action === 'replace') return action
  return before === undefined ? 'create' : 'update'
}

function afterStep(object: JsonObject | undefined, {operation, checked}: Step): JsonObject | undefined {
  switch (operation.action) {
    case 'delete':
      return undefined
    case 'claim':
      return object && withLabels(object, contentIn(operation))
    case 'replace':
      return contentIn(operation)
    default:
      return appliedStep(object, {operation, checked})
  }
}

function appliedStep(object: JsonObject | undefined, {operation, checked}: Step): JsonObject | undefined {
  // A new object is shown as rendered: fields that the server adds do not matter for a review.
  if (expectsAbsence(operation)) return contentIn(operation)
  if (checked.kind === 'accepted' && checked.object !== undefined) return contentOf(checked.object)
  if (operation.action !== 'apply' || !isOnCrd(operation)) return object
  return object && withoutVersions(object, contentIn(operation))
}

/** A CRD that loses versions which another one does not have. */
function withoutVersions(object: JsonObject, {spec}: JsonObject): JsonObject {
  const kept = new Set(asObjects(asObject(spec).versions).map(({name}) => name))
  const versions = asObjects(asObject(object.spec).versions).filter(({name}) => kept.has(name))
  return {...object, spec: {...asObject(object.spec), versions}}
}

function withLabels(object: JsonObject, claim: JsonObject): JsonObject {
  const metadata = asObject(object.metadata)
  const labels = {...asObject(metadata.labels), ...asObject(asObject(claim.metadata).labels)}
  return {...object, metadata: {...metadata, labels}}
}
