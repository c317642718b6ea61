import {isCrd} from '../../kubernetes/crd-kind.js'
import {isAppliedBy} from '../../cluster/claims.js'
import {present} from '../../present.js'
import {type InstallSet, type Phase, PHASES} from '../../render/install-set.js'
import type {Operation, Plan} from '../plan.js'
import type {ClusterSnapshot} from './state/cluster-snapshot.js'
import {CLUSTER_TARGET} from './state/cluster-target-name.js'
import {type DesiredObject, desiredObjects, isClaimed} from './state/desired-object.js'
import {ownedElsewhere} from './crds/owned-elsewhere.js'
import {inventoryOperations} from './inventories/inventory-operations.js'
import {type Allowances, type Judgement, judgeObject} from './objects/judge-object.js'
import {judgeLostControllers} from './lost-controllers.js'
import {rememberedObjects} from './state/ownership.js'
import {changedRequest, isManagedRequest, managerRejections} from './inventories/managed-installs.js'
import {pruneRemovals} from './objects/prune.js'
import {setRejections} from './set-rejections.js'
import {unreadableRejections} from './inventories/unreadable-inventories.js'

/** The options of planning an install. */
export interface InstallOptions extends Allowances {
  /** The version of this program, for inventories. */
  readonly toolVersion: string
  /** Keeps instances whose controller is removed by the change; otherwise, they are a reason to reject it. */
  readonly keepsInstances?: boolean
  /** Whether the base may be added to a cluster with a current Crossplane. */
  readonly baseBesideCore?: boolean
  /** Whether the package manager of this program installs them. */
  readonly asManager?: boolean
}

/** A desired object and the decision about it. */
interface Judged {
  readonly object: DesiredObject
  readonly judgement: Judgement
}

/**
 * Plans the operations that bring the installs of a set to the desired state: the objects by phase, each phase with its
 * claims and waits, then the objects that left the set.
 */
export function planInstall(
  set: InstallSet,
  snapshot: ClusterSnapshot,
  options: InstallOptions,
  desired: readonly DesiredObject[] = desiredObjects(set),
): Plan {
  const remembered = rememberedObjects(snapshot.inventories)
  const judged = desired.map(object => ({
    object,
    judgement: withManagers(
      judgeObject(object, remembered.get(object.key) ?? [], snapshot, options),
      object,
      snapshot,
    ),
  }))
  const pruned = pruneRemovals(set, desired, snapshot)
  const operations = [
    ...PHASES.flatMap(phase => phaseOperations(phase, judged, set, snapshot)),
    ...pruned.operations,
  ]
  const lost = judgeLostControllers({installs: set.installs, desired}, snapshot, {
    keepsInstances: options.keepsInstances === true,
  })
  const rejections = judged.flatMap(({judgement}) =>
    judgement.kind === 'rejected' ? [judgement.rejection] : [],
  )
  return {
    operations: withInventories(operations, inventoryOperations(set, desired, operations, snapshot, options)),
    unchanged: judged.filter(({judgement}) => judgement.kind === 'unchanged').length,
    rejections: [
      ...managerRejections(set, snapshot),
      ...unreadableRejections(set.installs, snapshot),
      ...setRejections(desired, snapshot, options),
      ...ownedElsewhere(set, desired, remembered, snapshot),
      ...rejections,
      ...lost.rejections,
    ],
    kept: [...pruned.kept, ...lost.kept],
    ...present({impact: lost.impact}),
  }
}

/** A running package manager does not process every change. */
function withManagers(judgement: Judgement, object: DesiredObject, snapshot: ClusterSnapshot): Judgement {
  const rejection = judgement.kind === 'change' ? changedRequest(object, snapshot) : undefined
  return rejection === undefined ? judgement : {kind: 'rejected', rejection}
}

/** Inventories are written once their namespaces exist, and before anything else. */
function withInventories(operations: readonly Operation[], inventories: readonly Operation[]): Operation[] {
  const isNamespace = ({phase}: Operation) => phase === 'namespaces'
  return [
    ...operations.filter(isNamespace),
    ...inventories,
    ...operations.filter(operation => !isNamespace(operation)),
  ]
}

function phaseOperations(
  phase: Phase,
  all: readonly Judged[],
  set: InstallSet,
  snapshot: ClusterSnapshot,
): Operation[] {
  const judged = all.filter(({object}) => object.phase === phase)
  const changed = judged.flatMap(({judgement}) => (judgement.kind === 'change' ? [judgement] : []))
  const changes = changed.flatMap(({operation, before}) => (before === undefined ? [operation] : []))
  return [
    ...judged.flatMap(judgedObject =>
      isReplacedCrd(judgedObject) ? unclaimOperations(judgedObject.object, snapshot) : [],
    ),
    // A binding is created after the role that it binds: the API server checks the role's rules.
    ...changes.filter(operation => !isBinding(operation)),
    ...changes.filter(isBinding),
    ...migrations(changed),
    ...judged.flatMap(judgedObject => claimOperations(judgedObject, snapshot)),
    ...judged.flatMap(judgedObject => waitOperations(judgedObject, set, snapshot)),
  ]
}

/** All CRDs serve both versions before the custom resources of the first are migrated: API servers need a moment for it. */
function migrations(changed: readonly (Judgement & {readonly kind: 'change'})[]): Operation[] {
  const all = changed.flatMap(({operation, before}) => (before === undefined ? [] : [{operation, ...before}]))
  return [
    ...all.flatMap(({served}) => served),
    ...all.map(({migrated: {target, object, phase}}): Operation => {
      return {action: 'wait', target, object, phase, reason: 'the CRD must be Established'}
    }),
    ...all.map(({migrated}) => migrated),
    ...all.map(({operation}) => operation),
  ]
}

function isBinding({object}: Operation): boolean {
  return object?.kind.endsWith('Binding') === true
}

/** Reports whether a CRD is deleted and created, which loses its claims. */
function isReplacedCrd({judgement}: Judged): boolean {
  if (judgement.kind !== 'change') return false
  const {action, object} = judgement.operation
  return action === 'replace' && isCrd(object)
}

/** A CRD is deleted only while it has no claims, so that a claim which appears in the meantime keeps it. */
function unclaimOperations(
  {key, name, phase, claims}: DesiredObject,
  snapshot: ClusterSnapshot,
): Operation[] {
  const live = snapshot.live.get(key)
  return claims
    .filter(({manager}) => live !== undefined && isAppliedBy(live, manager))
    .map(({manager}) => ({
      action: 'unclaim',
      target: CLUSTER_TARGET,
      object: name,
      phase,
      manager,
      reason: 'the CRD is replaced',
    }))
}

function claimOperations(judged: Judged, snapshot: ClusterSnapshot): Operation[] {
  const {key, name, phase, claims} = judged.object
  const live = isReplacedCrd(judged) ? undefined : snapshot.live.get(key)
  return claims
    .filter(claim => live === undefined || !isClaimed(live, claim))
    .map(({install, manager, content}) => ({
      action: 'claim',
      target: CLUSTER_TARGET,
      object: name,
      phase,
      manager,
      reason: `the install ${install.namespace}/${install.name} uses the CRD`,
      content: JSON.stringify(content),
    }))
}

/**
 * The objects that have to be ready before the next phase; after an interrupted run also those that this run applied.
 */
function waitOperations(
  {object, judgement}: Judged,
  {installs}: InstallSet,
  {inventories, ...running}: ClusterSnapshot,
): Operation[] {
  const what = isManagedRequest(object.name, running)
    ? 'the package manager must report it as ready'
    : WAITS[object.name.kind]
  if (what === undefined) return []
  const mine = object.install === undefined ? object.claims.map(({install}) => install) : [object.install]
  const isInterrupted = inventories.some(
    ({phase, install}) =>
      phase === 'changing' && mine.some(id => id.namespace === install.namespace && id.name === install.name),
  )
  if (judgement.kind !== 'change' && !(isInterrupted && installs.length > 0)) return []
  const {name, phase} = object
  return [{action: 'wait', target: CLUSTER_TARGET, object: name, phase, reason: what}]
}

const WAITS: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'the CRD must be Established',
  Deployment: 'the Deployment must be available',
}
