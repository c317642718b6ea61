import {ORIGINAL_MANAGER} from '../../../cluster/claims.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {objectText} from '../../../kubernetes/object-key.js'
import {listSome, quoted} from '../../../text.js'
import {ERA_NAMES} from '../../../reference/era-name.js'
import type {InstallId} from '../../../reference/install-id.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import type {Operation, Precondition} from '../../plan.js'
import type {ClusterSnapshot, DryRun} from '../state/cluster-snapshot.js'
import {crdChange} from '../crds/crd-change.js'
import {gateCrd, type GateVerdict} from '../crds/crd-gate.js'
import {
  beingDeleted,
  conflict,
  foreign,
  type GitAllowances,
  isUndone,
  isOfCurrentChart,
  managersOf,
  notAccepted,
  ofCurrentChart,
  type Reason,
  undoneByGit,
} from './object-reasons.js'
import type {DesiredObject} from '../state/desired-object.js'
import {isSameContent} from '../state/live-object.js'
import {type CrdMigration, migrationOperations} from '../crds/migration-operations.js'
import {isCreateOnly, objectOperation, stateOf} from '../state/object-operation.js'
import {isAsLeft} from '../state/object-state.js'
import {isOriginal} from '../state/original-objects.js'
import {
  isManaged,
  isRemembered,
  isSameInstall,
  type RememberedObject,
  showsInstall,
} from '../state/ownership.js'

/** Changes that a plan may make beyond the default. */
export interface Allowances extends GitAllowances {
  /** Take over objects that exist and belong to none of the installs. */
  readonly adopt: boolean
  /** Delete and create CRDs that cannot be updated and are not used. */
  readonly replaceCrds: boolean
  /** Write custom resources once, so that their CRD can lose the version that they are stored in. */
  readonly migratesVersions?: boolean | undefined
  /** Have the effects on custom resources that stop a change otherwise; undefined where effects are not judged. */
  readonly acceptsImpact?: boolean | undefined
}

/** The decision about one object. */
export type Judgement =
  | {readonly kind: 'unchanged'}
  /** `before` are operations on the same CRD: other versions are served, and custom resources are migrated. */
  | {readonly kind: 'change'; readonly operation: Operation; readonly before?: CrdMigration}
  | {readonly kind: 'rejected'; readonly rejection: Diagnostic}

/** Decides about one object of a set; `remembered` are the inventories' records of it. */
export function judgeObject(
  desired: DesiredObject,
  remembered: readonly RememberedObject[],
  snapshot: ClusterSnapshot,
  allowances: Allowances,
): Judgement {
  const live = snapshot.live.get(desired.key)
  if (live === undefined) return change(desired, {absent: true}, 'the object does not exist')
  if (live.metadata.deletionTimestamp !== undefined) return rejected(desired, beingDeleted(desired, live))
  if (isCreateOnly(desired)) return {kind: 'unchanged'}
  const credible = remembered.filter(
    object => isRemembered(live, object) && isCredible(desired, live, object),
  )
  const other = otherOwner(desired, credible)
  if (other !== undefined) return rejected(desired, other)
  const isKnown = isManaged(live, desired, credible)
  const undone = undoneByGit(desired, live, snapshot, allowances)
  const unmanaged = isKnown ? undefined : ofOthers(desired, live, allowances, undone)
  if (unmanaged !== undefined) return rejected(desired, unmanaged)
  if (credible.some(object => isAsLeft(desired, live, object))) return {kind: 'unchanged'}
  const dryRun = snapshot.dryRuns.get(desired.key)
  if (dryRun === undefined) throw new RangeError(`no dry run of ${objectText(desired.name)}`)
  return judgeChange(desired, live, dryRun, snapshot, {...allowances, isKnown, undone})
}

/** Why an object that this program does not manage must not be taken over. */
function ofOthers(
  desired: DesiredObject,
  live: KubernetesObject,
  {adopt}: Allowances,
  undone: Reason | undefined,
): Reason | undefined {
  if (isOfCurrentChart(live)) return ofCurrentChart(desired)
  return adopt ? undefined : (undone ?? foreign(desired, live))
}

/** Judges an object whose dry run is known; a CRD must pass the gate, too. */
function judgeChange(
  desired: DesiredObject,
  live: KubernetesObject,
  dryRun: DryRun,
  snapshot: ClusterSnapshot,
  {undone, ...allowances}: Allowances & {readonly isKnown: boolean; readonly undone: Reason | undefined},
): Judgement {
  if (isUndone(live, dryRun, undone)) return rejected(desired, undone)
  const judged = judgeDryRun(desired, live, dryRun, allowances)
  const isConflict = judged.kind === 'rejected' && dryRun.kind === 'conflict'
  const changed = isConflict ? undefined : crdChange(desired, live, dryRun)
  if (changed === undefined) return judged
  const verdict = gateCrd(desired, live, changed, snapshot, allowances)
  if (verdict.kind === 'rejected') return rejected(desired, verdict.reason)
  if (verdict.kind === 'replace') return change(desired, stateOf(live), verdict.reason, {action: 'replace'})
  if (verdict.kind === 'migrate') return migration(desired, live, verdict, snapshot, allowances)
  if (judged.kind !== 'change' || verdict.risks.length === 0) return judged
  return {...judged, operation: {...judged.operation, risks: verdict.risks}}
}

function migration(
  desired: DesiredObject,
  live: KubernetesObject,
  verdict: GateVerdict & {readonly kind: 'migrate'},
  {transitions}: ClusterSnapshot,
  {forceConflicts}: Allowances,
): Judgement {
  const both = transitions?.get(desired.key)
  if (both === undefined) throw new RangeError(`no dry run of the versions of ${objectText(desired.name)}`)
  if (both.kind === 'rejected') return rejected(desired, notAccepted(desired, both))
  if (both.kind === 'conflict') return rejected(desired, conflict(desired, both, managersOf(both)))
  const more = forceConflicts ? {force: true} : {}
  return {kind: 'change', ...migrationOperations(desired, live, both.object, verdict, more)}
}

function judgeDryRun(
  desired: DesiredObject,
  live: KubernetesObject,
  dryRun: DryRun,
  {adopt, forceConflicts, isKnown}: Allowances & {readonly isKnown: boolean},
): Judgement {
  const precondition = stateOf(live)
  if (dryRun.kind === 'applied') {
    // An object that is taken over is applied once, so that the server knows its new field manager.
    if (!isKnown) return change(desired, precondition, 'the object is taken over')
    if (isSameContent(live, dryRun.object)) return {kind: 'unchanged'}
    return change(desired, precondition, 'the object differs from the package')
  }
  if (dryRun.kind === 'conflict') {
    const managers = managersOf(dryRun)
    const isTakenOver = adopt && isOfOriginal(desired, live, managers)
    if (!forceConflicts && !isTakenOver) return rejected(desired, conflict(desired, dryRun, managers))
    const reason = `fields are taken over from ${listSome(managers.map(quoted))}`
    return change(desired, precondition, reason, {force: true})
  }
  if (!dryRun.isImmutable || desired.shared === 'crd') return rejected(desired, notAccepted(desired, dryRun))
  return change(desired, precondition, 'a field that cannot be updated changes', {action: 'replace'})
}

/** Reports whether only the original package manager, which processed the same install, has conflicting fields. */
function isOfOriginal(
  {install, claims}: DesiredObject,
  live: KubernetesObject,
  managers: readonly string[],
): boolean {
  const installs = install === undefined ? claims.map(claim => claim.install) : [install]
  const isOf = (id: InstallId) => ERA_NAMES.some(era => isOriginal(live, {...id, era}))
  return managers.every(manager => manager === ORIGINAL_MANAGER) && installs.some(isOf)
}

function change(
  desired: DesiredObject,
  precondition: Precondition,
  reason: string,
  more: Partial<Operation> = {},
): Judgement {
  return {kind: 'change', operation: objectOperation(desired, precondition, reason, more)}
}

function rejected(
  {name}: DesiredObject,
  rejection: Pick<Diagnostic, 'rule' | 'message' | 'suggestions'>,
): Judgement {
  return {
    kind: 'rejected',
    rejection: {severity: 'error', subject: {object: objectText(name)}, ...rejection},
  }
}

/**
 * Anyone who may create ConfigMaps can name objects of others in an inventory. The object itself has to show that
 * another install has it.
 */
function isCredible(
  {install}: DesiredObject,
  live: KubernetesObject,
  {inventory, object}: RememberedObject,
): boolean {
  if (install === undefined || isSameInstall(inventory.install, install)) return true
  return showsInstall(live, object, inventory.install)
}

function otherOwner(
  {name, install}: DesiredObject,
  credible: readonly RememberedObject[],
): Reason | undefined {
  if (install === undefined) return undefined
  const other = credible.find(({inventory}) => !isSameInstall(inventory.install, install))
  if (other === undefined) return undefined
  const {namespace, name: otherName} = other.inventory.install
  return {
    rule: 'object-of-install',
    message: `${objectText(name)} belongs to the install ${namespace}/${otherName}`,
    suggestions: ['Give this install another name.'],
  }
}
