import type {KubernetesObject, Outcome, ResourceKind} from 'kubectl-crossplane/plugin'
import {notSynced, type ServiceCondition, SYNCED} from '../model/conditions.js'
import {normalEvent, type NormalReason} from '../model/event-texts.js'
import {type ControllerNames, controllerNames} from '../model/names.js'
import type {Store} from '../model/store.js'
import {Stop, type Verdict} from '../model/verdict.js'
import type {Service} from '../services.js'

/** What passes over the claims of a kind work with. */
export interface ClaimPorts {
  readonly store: Store
  /** The services that can be bound to these claims. */
  readonly services: readonly Service[]
  /** Milliseconds until a claim that waits is looked at again. */
  readonly wait: number
  /** At least 0, less than 1. */
  readonly random: () => number
}

/** A pass over a claim that one service serves. */
export interface ClaimPass {
  readonly claim: KubernetesObject
  readonly service: Service
  readonly names: ControllerNames
  readonly ports: ClaimPorts
}

/** Begins a pass. */
export function claimPass(claim: KubernetesObject, service: Service, ports: ClaimPorts): ClaimPass {
  const kind: ResourceKind = {apiVersion: claim.apiVersion, kind: claim.kind}
  return {claim, service, names: controllerNames(kind, service.managed), ports}
}

/** Returns the verdict on a claim that waits. */
export function waiting(
  {names, ports}: ClaimPass,
  condition: ServiceCondition,
  reason: NormalReason,
): Verdict {
  return {
    conditions: [condition, SYNCED],
    event: normalEvent(reason, names.binder),
    outcome: {result: 'requeue', again: ports.wait},
  }
}

/** Ends the pass: a step failed. */
export function fail(
  {names}: ClaimPass,
  reason: string,
  message: string,
  conditions: readonly ServiceCondition[],
): Stop {
  return new Stop({
    conditions: [...conditions, notSynced(message)],
    event: {type: 'Warning', reason, message, source: names.binder},
    outcome: ERROR,
  })
}

const ERROR: Outcome = {result: 'error'}
