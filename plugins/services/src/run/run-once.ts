import {
  asText,
  type ClusterDiff,
  type Diagnostic,
  type KubernetesObject,
  nameOf,
  objectText,
} from 'kubectl-crossplane/plugin'
import {conditionOf, isWaitingForClass} from '../model/conditions.js'
import {recordingApi} from './recording-api.js'
import {passOverClaims, type ServiceRunner} from './run-services.js'

/** The result of a pass over all claims. */
export interface OnceResult {
  readonly count: number
  /** The claims whose pass failed, or that no class matches. */
  readonly failures: readonly Diagnostic[]
}

/** A claim gets its class, then its managed resource, then is bound. */
const ROUNDS = 10

/** Makes passes over all claims until another would change nothing. */
export async function runOnce(runner: ServiceRunner): Promise<OnceResult> {
  const claims = await passOverClaims(runner, ROUNDS)
  return {count: claims.length, failures: claims.flatMap(failureIn)}
}

/** Compares what one pass over all claims would change; changes nothing. */
export async function dryRun(runner: ServiceRunner): Promise<ClusterDiff> {
  const {api, diff} = recordingApi(runner.process.api)
  const claims = await passOverClaims({...runner, process: {...runner.process, api, log: () => undefined}}, 1)
  return diff(claims.length)
}

function failureIn(claim: KubernetesObject): readonly Diagnostic[] {
  const ready = conditionOf(claim, 'Ready')
  const synced = conditionOf(claim, 'Synced')
  const failure = synced?.status === 'False' ? synced : isWaitingForClass(ready) ? ready : undefined
  if (failure === undefined) return []
  const message = `${objectText(nameOf(claim))}: ${asText(failure.message)}`
  return [{severity: 'error', rule: failure === ready ? 'NoMatchingClass' : 'CannotReconcile', message}]
}
