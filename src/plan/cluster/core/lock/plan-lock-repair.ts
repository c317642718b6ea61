import type {Diagnostic} from '../../../../diagnostic.js'
import {nameOf, objectText} from '../../../../kubernetes/object-key.js'
import {listSome} from '../../../../text.js'
import {writeJson} from '../../../../yaml/write-yaml.js'
import {CLUSTER_TARGET} from '../../state/cluster-target-name.js'
import {stateOf} from '../../state/object-operation.js'
import type {Operation, Plan} from '../../../plan.js'
import type {CoreRequest, CoreRevision, CoreState} from '../../state/core-state.js'
import type {DuplicateRequests, LockProblem} from './lock-problems.js'
import {problemText, requestText} from './problem-texts.js'
import {byHand} from './repair-by-hand.js'

/** Owns the field that a repair sets. */
const REPAIR_MANAGER = 'kubectl-crossplane-repair'

/**
 * Plans what makes Crossplane resolve packages again without deleting any object of a package: requests are deleted only if
 * everything that they own has another owner. Every other problem is a rejection that says what the user can do.
 */
export function planLockRepair(problems: readonly LockProblem[], state: Pick<CoreState, 'revisions'>): Plan {
  const plans = problems.filter(({kind}) => kind !== 'name').map(problem => repairOf(problem, state))
  return {
    operations: plans.flatMap(({operations = []}) => operations),
    unchanged: 0,
    rejections: plans.flatMap(({rejection}) => rejection ?? []),
  }
}

interface Repair {
  readonly operations?: readonly Operation[]
  readonly rejection?: Diagnostic
}

function repairOf(problem: LockProblem, {revisions}: Pick<CoreState, 'revisions'>): Repair {
  if (problem.kind === 'requests' && problem.lost.length === 0) {
    const removals = problem.others.map(other => removal(other, problem))
    return {operations: [...removals, ...removals.flatMap((_, at) => gone(problem.others[at], revisions))]}
  }
  if (problem.kind === 'revisions')
    return {operations: problem.others.map(revision => deactivation(revision, problem.kept))}
  const message = problemText(problem)
  return {rejection: {severity: 'error', rule: 'core-lock', message, suggestions: byHand(problem)}}
}

function removal(request: CoreRequest, {kept}: DuplicateRequests): Operation {
  return {
    action: 'delete',
    target: CLUSTER_TARGET,
    object: nameOf(request.object),
    reason: `${requestText(kept)} is for the same package, and nothing of it is owned by this request alone`,
    risks: request.isByCore ? [] : [appliedAgain(request)],
    precondition: stateOf(request.object),
  }
}

/** What applied it can do so again. */
function appliedAgain(request: CoreRequest): Diagnostic {
  const object = objectText(nameOf(request.object))
  return {
    severity: 'warning',
    rule: 'core-lock',
    message: `${object} was not created by Crossplane: remove it from where it is applied as well, such as Git, or it comes back`,
    subject: {object},
  }
}

/** Revisions leave the Lock before they are gone. */
function gone(request: CoreRequest | undefined, revisions: readonly CoreRevision[]): readonly Operation[] {
  return revisions
    .filter(({kind, request: name}) => kind === request?.kind && name === request.name)
    .map(({object, uid}) => ({
      action: 'wait',
      target: CLUSTER_TARGET,
      object: nameOf(object),
      reason: 'Crossplane removes it from the Lock',
      precondition: {absent: true, uid},
    }))
}

function deactivation({object}: CoreRevision, kept: CoreRevision): Operation {
  const {apiVersion, kind, metadata} = object
  const content = {apiVersion, kind, metadata: {name: metadata.name}, spec: {desiredState: 'Inactive'}}
  return {
    action: 'apply',
    target: CLUSTER_TARGET,
    object: nameOf(object),
    manager: REPAIR_MANAGER,
    force: true,
    reason: `${listSome([kept.name])} is newer; objects of the package stay`,
    precondition: stateOf(object),
    content: writeJson(content),
  }
}
