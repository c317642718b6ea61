import {applyPlan, type ApplyPorts} from '../../apply/apply-plan.js'
import {nameIn, uidIn} from '../../apply/operation-parts.js'
import type {BackupSource} from '../../backup/write-backup.js'
import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CrossplaneError, withSuggestions} from '../../errors.js'
import {UNKNOWN_CLUSTER} from '../../plan/cluster/access/read-access.js'
import type {ClusterSnapshot} from '../../plan/cluster/state/cluster-snapshot.js'
import {clusterPart} from '../../plan/cluster/cluster-part.js'
import {foreignOperations} from '../../plan/cluster/contained-operations.js'
import {isInventoryOperation} from '../../plan/cluster/inventories/inventory-operations.js'
import {planDifferences} from '../../plan/cluster/objects/plan-differences.js'
import type {SavedClusterPlan} from '../../plan/cluster/saved-cluster-plan.js'
import {unplannedChanges} from '../../plan/cluster/objects/unplanned-changes.js'
import type {Plan} from '../../plan/plan.js'
import {refusedPlan} from '../../plan/read-plan.js'
import type {InstallId} from '../../reference/install-id.js'
import type {InstallSet} from '../../render/install-set.js'
import type {FirstOwner} from '../../resolve/first-owners.js'
import type {OwnerChange} from '../../resolve/resolution.js'
import type {SignerChange} from '../../resolve/signer-changes.js'
import {present} from '../../present.js'
import {commandLine, listSome, plural} from '../../text.js'
import {expectKnownOwners, expectKnownSigners} from '../resolution/expect-known-owners.js'
import {type ChangedFile, writeFiles} from './changed-files.js'

/** A plan, and the snapshot that it was made from. */
export interface Decision {
  readonly plan: Plan
  readonly snapshot: ClusterSnapshot
  /** Owners of API groups that nothing has named before: of a first use, or taken over from another package. */
  readonly firstOwners: readonly FirstOwner[]
  /** The changes of owners, also those that the user assigned. */
  readonly ownerChanges?: readonly OwnerChange[]
  /** The packages and images that have other signers than in the lock. */
  readonly signerChanges?: readonly SignerChange[]
  /** The installs that the plan changes or removes: a saved plan contains objects of no others. */
  readonly installs: readonly InstallId[]
  /** What a plan of installs was made for. */
  readonly set?: Pick<InstallSet, 'installs' | 'objects'>
  /** Returns what a removal takes from users, so that it can be backed up. Throws the errors of the API. */
  readonly backup?: (api: ClusterApi) => Promise<BackupSource>
  /** Checks right before a package manager is told to remove it. Throws `cluster-refused`. */
  readonly recheck?: () => Promise<void>
}

/** The decision that removes nothing. */
export const NOTHING_LEFT: Omit<Decision, 'installs'> = {
  plan: {operations: [], unchanged: 0, rejections: []},
  snapshot: UNKNOWN_CLUSTER,
  firstOwners: [],
}

/** A change of a cluster that can be decided again. */
export interface ClusterChange {
  readonly decision: Decision
  /** Reads the cluster again, and decides by its current state. */
  readonly decide: () => Promise<Decision>
  /** The name of what is to be removed, if it does not exist. */
  readonly absent?: string
  /** The packages that a request leads to. */
  readonly identities?: readonly string[]
  /** The files of the plan's other operations. They are written before the first change of the cluster. */
  readonly files?: readonly ChangedFile[]
  /** Done before the first change, while other runs are locked out. Throws the signal's reason when it is aborted. */
  readonly prepare?: (decision: Decision, signal: AbortSignal) => Promise<void>
}

/** The ports for carrying out a change. */
export interface ChangePorts extends ApplyPorts {
  /** Takes the name of each file that is written. */
  readonly reportFile: (name: string) => void
  /**
   * Runs `work` while the Leases of these namespaces are held. The signal that `work` gets is aborted when one is lost;
   * `signal` ends only the waiting for Leases.
   */
  readonly exclusively: (
    namespaces: readonly string[],
    work: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<void>
}

/**
 * Applies a change. While other runs are locked out, the cluster is read again: a plan that was confirmed must still
 * be the same (else `plan-outdated`), any other is decided again. Throws `cluster-refused` for a new rejection, and for
 * owners of API groups that are used for the first time without a confirmation.
 */
export async function carryOut(
  {decision, decide, files = [], prepare}: ClusterChange,
  {isConfirmed}: {readonly isConfirmed: boolean},
  ports: ChangePorts,
): Promise<void> {
  const {plan} = decision
  if (!isConfirmed) expectConfirmed(decision)
  ports.signal.throwIfAborted()
  const names: string[] = []
  await writeFiles(files, plan.operations, name => {
    names.push(name)
    ports.reportFile(name)
  })
  if (clusterPart(plan).operations.length === 0) return
  await applyWhole({decision, decide, ...present({prepare})}, {isConfirmed}, ports).catch(
    (error: unknown) => {
      throw error instanceof CrossplaneError ? withSuggestions(error, continuation(names)) : error
    },
  )
}

/** Files are ahead of the cluster when it cannot be changed. */
function continuation(names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return [
    `${listSome(names)} ${plural(names.length, 'has', 'have')} the change already: run the same command to complete it, or take it back in Git.`,
  ]
}

async function applyWhole(
  {decision: {plan, snapshot}, decide, prepare}: Pick<ClusterChange, 'decision' | 'decide' | 'prepare'>,
  {isConfirmed}: {readonly isConfirmed: boolean},
  ports: ChangePorts,
): Promise<void> {
  const namespaces = plan.operations.filter(({phase}) => phase === 'namespaces')
  // Leases and inventories are in namespaces, which have to exist first.
  await applyPlan({...plan, operations: namespaces}, snapshot, ports)
  await ports.exclusively(
    changedNamespaces(plan),
    async signal => {
      const current = await decide()
      expectAccepted(current.plan)
      if (isConfirmed) expectSame(plan, current.plan)
      else expectConfirmed(current)
      await applyDecision(current, prepare, {...ports, signal: AbortSignal.any([ports.signal, signal])})
    },
    ports.signal,
  )
}

/**
 * Applies a change that is planned only once, while other runs are locked out of the namespaces whose inventories it is
 * expected to change. Throws `plan-outdated` if it changes those of others, and the errors of `carryOut`.
 */
export async function planAndCarryOut(
  {decide, prepare}: Pick<ClusterChange, 'decide' | 'prepare'>,
  namespaces: readonly string[],
  ports: ChangePorts,
): Promise<void> {
  ports.signal.throwIfAborted()
  await ports.exclusively(
    namespaces,
    async signal => {
      const current = await decide()
      expectAccepted(current.plan)
      expectConfirmed(current)
      const others = changedNamespaces(current.plan).filter(name => !namespaces.includes(name))
      if (others.length > 0)
        throw outdated('the plan', `it also changes the installs of namespace ${listSome(others)}`, [])
      await applyDecision(current, prepare, {...ports, signal: AbortSignal.any([ports.signal, signal])})
    },
    ports.signal,
  )
}

async function applyDecision(
  {plan, snapshot, ...decision}: Decision,
  prepare: ClusterChange['prepare'],
  ports: ChangePorts,
): Promise<void> {
  if (plan.operations.length > 0) await prepare?.({plan, snapshot, ...decision}, ports.signal)
  const {recheck} = decision
  await applyPlan(clusterPart(plan), snapshot, {...ports, recheck})
}

/** Throws `cluster-refused` for a plan that must not be applied. */
export function expectAccepted({rejections}: Plan): void {
  const [first] = rejections
  if (first === undefined) return
  const message =
    rejections.length === 1
      ? first.message
      : `cannot plan the change: ${rejections.length} objects are rejected`
  throw new CrossplaneError('cluster-refused', message, {
    diagnostics:
      rejections.length === 1 ? [] : rejections.map(({suggestions: _shownOnce, ...diagnostic}) => diagnostic),
    suggestions: [...new Set(rejections.flatMap(({suggestions}) => suggestions ?? []))],
  })
}

function expectConfirmed(decision: Decision): void {
  expectKnownOwners(decision.firstOwners, CONFIRMATION)
  expectKnownSigners(decision.signerChanges ?? [], CONFIRMATION)
}

const CONFIRMATION = {
  code: 'cluster-refused',
  action: 'apply the plan',
  review: 'Save the plan with --plan-out FILE, review it, and apply it with --plan FILE.',
} as const

/** The namespaces whose inventories change, sorted. */
function changedNamespaces({operations}: Plan): readonly string[] {
  const names = operations.filter(isInventoryOperation).flatMap(({object}) => object?.namespace ?? [])
  return [...new Set(names)].sort()
}

function expectSame(before: Plan, after: Plan): void {
  const changed = planDifferences(before.operations, after.operations)
  if (changed.length === 0) return
  throw outdated('the plan', `the cluster changed after the plan was made: ${listSome(changed)}`, [
    'Run the command again, and review the new plan.',
  ])
}

/**
 * Throws `plan-outdated` where the command of a saved plan now does something that is not in the plan, because the
 * cluster or the packages have changed, and `cluster-refused` for operations on objects that it never changes.
 */
export function expectPlanned({plan, snapshot, installs}: Decision, saved: SavedClusterPlan): void {
  const removesDependencies = saved.origin.arguments.includes('--with-unused-dependencies')
  const scope = {operations: plan.operations, snapshot, installs, removesDependencies}
  const foreign = foreignOperations(saved.operations, scope)
  if (foreign.length > 0) throw refusedPlan('cluster-refused', saved.file, foreign)
  const changed = unplannedChanges(saved.operations, plan.operations, snapshot)
  if (changed.length === 0) return
  const {command, arguments: words} = saved.origin
  throw outdated(
    `the plan ${saved.file}`,
    `the plan is outdated, because the cluster or the packages changed: ${listSome(changed)}`,
    [commandLine([...command.split(' '), ...words, '--plan-out', saved.file])],
  )
}

/** Reports whether none of the objects exist that a saved plan deletes. */
export async function isCarriedOut({operations}: SavedClusterPlan, api: ClusterApi): Promise<boolean> {
  for (const operation of operations.filter(({action}) => action === 'delete')) {
    const live = await api.get(nameIn(operation))
    if (live !== undefined && live.metadata.uid === uidIn(operation)) return false
  }
  return true
}

function outdated(plan: string, why: string, suggestions: readonly string[]): CrossplaneError {
  return new CrossplaneError('plan-outdated', `cannot apply ${plan}: ${why}`, {suggestions})
}
