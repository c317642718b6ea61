import type {Diagnostic} from '../../../diagnostic.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import type {ObjectName} from '../../../kubernetes/object-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import type {Operation} from '../../plan.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import type {CoreRequest, CoreRevision, CoreState} from '../state/core-state.js'
import {MOVE_MANAGER} from '../state/move-state.js'
import {uidOf} from '../state/ownership.js'
import {type ChangedRequirer, requirerOperations} from './changed-requirers.js'
import {healthWait, lockWait} from './core-waits.js'
import {requestText} from './lock/problem-texts.js'

/** One of both requests of a package that moves. */
interface MoveEnd {
  readonly name: string
  readonly live?: CoreRequest
  /** The request as it is created, if it does not exist. */
  readonly content: KubernetesObject
}

/** A package that one request hands over to another one. */
export interface HandOver {
  readonly to: MoveEnd & {
    /** The name of its revision. */
    readonly revision: string
    /** The request as it is at the end, if that differs from what it is while the package moves. */
    readonly final?: KubernetesObject
    /** Whether a commit requested it, and it lacks what is needed to go on. */
    readonly isUnmarked?: true
  }
  readonly from: MoveEnd
  /** What requires it, and changes its version with it. */
  readonly requirers?: readonly ChangedRequirer[]
  /** What is said of the step in which the package has no controller, and of the step after which the Lock has it twice. */
  readonly risks: {readonly stops: readonly Diagnostic[]; readonly creates: readonly Diagnostic[]}
}

/**
 * Returns what is left of handing packages over, of those that others of them require first. The second request comes before the first one
 * stops, since the core would install again what its Lock misses; of packages that stop, those that require others come first. What stays and
 * requires a former package changes in between: from then on, it requires the new one.
 */
export function handOverOperations(all: readonly HandOver[], core: CoreState): readonly Operation[] {
  return [...takeOverOperations(all, core), ...endingOperations(all, core)]
}

/** Returns the steps up to the one after which nothing needs the former requests. */
export function takeOverOperations(all: readonly HandOver[], core: CoreState): readonly Operation[] {
  const backwards = [...all].reverse()
  return [
    ...all.flatMap(one => beginOperations(one, core)),
    ...all.flatMap(({requirers = []}) => requirers).flatMap(one => requirerOperations(one, core)),
    ...backwards.flatMap(one => stopOperations(one, core)),
    ...all.flatMap(one => takeOverWaits(one, core)),
  ]
}

/** Returns the steps from there on: the former requests are deleted. */
function endingOperations(all: readonly HandOver[], core: CoreState): readonly Operation[] {
  const backwards = [...all].reverse()
  return [
    ...backwards.flatMap(one => removeOperations(one, core)),
    // Until all have moved, each new request has what is needed to go on.
    ...all.flatMap(endOperations),
    ...all.map(({to}) => healthWait(to.content)),
  ]
}

/** The new request exists, its revision is active, and the Lock has it. */
function beginOperations({to, risks}: HandOver, core: CoreState): readonly Operation[] {
  const {live} = to
  if (live === undefined || live.isTerminating)
    return [
      ...(live === undefined
        ? []
        : [live.object, ...revisionsOf(live, core).map(one => one.object)].map(goneWait)),
      {
        ...applied(nameOf(to.content), 'it requests the package beside the former request', to.content),
        precondition: {absent: true},
        ...withRisks(risks.creates),
      },
      lockWait(to.revision, true),
    ]
  const revision = currentRevision(live, core)
  const mark = to.isUnmarked === true ? [markOperation(live, to.content)] : []
  const policy = isHeld(live) ? [policyOperation(live, undefined)] : []
  return [...mark, ...policy, ...activation(revision, revision?.name ?? to.revision, core)]
}

/** With the UID, an apply never creates what a user deleted. */
function markOperation(live: CoreRequest, {spec: _committed, ...content}: KubernetesObject): Operation {
  const marked = {...content, metadata: {...content.metadata, uid: live.uid}}
  const reason = 'it gets all that is needed to go on, or back'
  return {...applied(nameOf(content), reason, marked), phase: 'records', precondition: {uid: live.uid}}
}

/** An active revision comes into the Lock. */
function activation(
  revision: CoreRevision | undefined,
  name: string,
  {lock}: CoreState,
): readonly Operation[] {
  const isStopped = revision !== undefined && !revision.isActive
  if (!isStopped && lock.entries.some(entry => entry.name === name)) return []
  const reason = 'it takes over the objects of the package'
  return [...(isStopped ? [stateOperation(revision, 'Active', reason)] : []), lockWait(name, true)]
}

/** The former revision gives up the control of its objects, and stays their owner. */
function stopOperations({to, from: {live}, risks}: HandOver, core: CoreState): readonly Operation[] {
  if (live === undefined || live.isTerminating) return []
  const active = revisionsOf(live, core).filter(({isActive}) => isActive)
  const reason = `its objects are handed over to ${requestText({kind: live.kind, name: to.name})}`
  return [
    ...(isManual(live) ? [] : [policyOperation(live, 'Manual')]),
    ...active.flatMap((revision, index) => [
      {...stateOperation(revision, 'Inactive', reason), ...(index === 0 ? withRisks(risks.stops) : {})},
      {...lockWait(revision.name, false), ...stateFields(revision, 'Inactive')},
    ]),
  ]
}

/** Crossplane can activate the former revision once more, if it has not seen the policy yet: it is stopped again while this lasts. */
function takeOverWaits({to, from: {live}}: HandOver, core: CoreState): readonly Operation[] {
  if (live === undefined) return []
  const current = live.isTerminating ? undefined : currentRevision(live, core)
  return [{...healthWait(to.content), ...(current === undefined ? {} : stateFields(current, 'Inactive'))}]
}

/** The former request goes once nothing needs it: the objects have another owner. */
function removeOperations({to, from: {live}}: HandOver, core: CoreState): readonly Operation[] {
  if (live === undefined) return []
  const reason = `${requestText({kind: live.kind, name: to.name})} controls its objects, which stay`
  const own = revisionsOf(live, core)
  return [
    ...(live.isTerminating
      ? []
      : [
          {
            ...{action: 'delete' as const, target: CLUSTER_TARGET, object: nameOf(live.object), reason},
            precondition: {uid: live.uid},
          },
        ]),
    ...[live.object, ...own.map(({object}) => object)].map(goneWait),
  ]
}

function endOperations({to}: HandOver): readonly Operation[] {
  const {final, live} = to
  if (final === undefined) return []
  // With the UID, an apply never creates what a user deleted.
  const {metadata} = final
  const content =
    live === undefined || live.isTerminating ? final : {...final, metadata: {...metadata, uid: live.uid}}
  return [applied(nameOf(final), 'the package has moved: nothing is left to continue', content)]
}

function revisionsOf({kind, name}: CoreRequest, {revisions}: CoreState): readonly CoreRevision[] {
  return revisions.filter(one => one.kind === kind && one.request === name)
}

function currentRevision(live: CoreRequest, core: CoreState): CoreRevision | undefined {
  return revisionsOf(live, core).find(({name}) => name === live.revision)
}

/** Reports whether Crossplane activates no revision of a request. */
export function isManual({object}: CoreRequest): boolean {
  return asObject(object.spec).revisionActivationPolicy === 'Manual'
}

/** Reports whether a move set the activation policy of a request: one that a user set stays. */
export function isHeld({object: {metadata}}: CoreRequest): boolean {
  return asObjects(metadata.managedFields).some(
    ({manager, fieldsV1}) =>
      manager === MOVE_MANAGER &&
      asObject(asObject(fieldsV1)['f:spec'])['f:revisionActivationPolicy'] !== undefined,
  )
}

/** The policy of a request for a time; without one, that of before: the field has its default if no other manager owns it. */
function policyOperation(live: CoreRequest, policy: 'Manual' | undefined): Operation {
  const {apiVersion, kind, metadata} = live.object
  const reason =
    policy === undefined
      ? 'Crossplane activates its revisions again'
      : 'Crossplane must not activate its revision again'
  const spec: JsonObject = policy === undefined ? {} : {revisionActivationPolicy: policy}
  const content = {apiVersion, kind, metadata: {name: metadata.name, uid: live.uid}, spec}
  return {
    ...applied(nameOf(live.object), reason, content),
    // Of one phase, operations run at the same time: the policy comes before the states of revisions.
    ...{phase: 'records', manager: MOVE_MANAGER, force: true, precondition: {uid: live.uid}},
  }
}

function stateOperation(
  {object}: CoreRevision,
  desiredState: 'Active' | 'Inactive',
  reason: string,
): Operation {
  return {
    action: 'apply',
    target: CLUSTER_TARGET,
    object: nameOf(object),
    phase: 'controllers',
    ...stateFields({object}, desiredState),
    reason,
    precondition: {uid: uidOf(object)},
  }
}

/** With the UID, an apply never creates what a user deleted. */
function stateFields(
  {object: {apiVersion, kind, metadata}}: Pick<CoreRevision, 'object'>,
  desiredState: 'Active' | 'Inactive',
): Pick<Operation, 'manager' | 'force' | 'content'> {
  const {name, uid} = metadata
  const content = writeJson({apiVersion, kind, metadata: {name, uid: asText(uid)}, spec: {desiredState}})
  return {manager: MOVE_MANAGER, force: true, content}
}

function applied(object: ObjectName, reason: string, content: KubernetesObject): Operation {
  return {action: 'apply', target: CLUSTER_TARGET, object, reason, content: writeJson(content)}
}

function goneWait(object: KubernetesObject): Operation {
  return {
    action: 'wait',
    target: CLUSTER_TARGET,
    object: nameOf(object),
    reason: 'it must be gone',
    precondition: {absent: true, uid: uidOf(object)},
  }
}

function withRisks(risks: readonly Diagnostic[]): Pick<Operation, 'risks'> {
  return risks.length === 0 ? {} : {risks}
}
