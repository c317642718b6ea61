import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {escaped} from '../../text.js'
import {asObject, asText, type JsonValue} from '../../yaml/json-value.js'
import {conditionOf} from '../readiness/conditions.js'

/** How far the core is with a request: what it made is healthy, it is still at work, or a condition says what is wrong. */
export type PackageReadiness =
  | {readonly state: 'healthy'}
  | {readonly state: 'starting' | 'broken'; readonly reason: string}

/**
 * Judges a Provider, Function or Configuration by its conditions. Those of an earlier package stay until the core has read
 * the new one.
 */
export function packageReadiness(object: KubernetesObject): PackageReadiness {
  const {currentIdentifier} = asObject(object.status)
  const paused = conditionOf(object, 'Synced')
  if (paused?.reason === 'ReconcilePaused') return {state: 'broken', reason: 'its reconciliation is paused'}
  if (asText(currentIdentifier) !== asText(asObject(object.spec).package))
    return problemOf(object, 'Installed') ?? {state: 'starting', reason: 'Crossplane has not read it yet'}
  const problem = problemOf(object, 'Installed') ?? problemOf(object, 'Healthy')
  if (problem !== undefined) return problem
  const isTrue = (type: string) => conditionOf(object, type)?.status === 'True'
  if (!isTrue('Installed')) return {state: 'starting', reason: 'it is not installed yet'}
  if (!isTrue('Healthy')) return {state: 'starting', reason: 'it is not healthy yet'}
  return {state: 'healthy'}
}

function problemOf(object: KubernetesObject, type: 'Installed' | 'Healthy'): PackageReadiness | undefined {
  const condition = conditionOf(object, type)
  if (condition?.status !== 'False') return undefined
  const be = type === 'Installed' ? 'installed' : 'healthy'
  return {state: 'broken', reason: `it is not ${be}${causeOf(condition.message)}`}
}

/** The cause is at the end of the messages of Crossplane, which are long. */
function causeOf(message: JsonValue | undefined): string {
  const parts =
    asText(message)
      .trim()
      .replaceAll('"', "'")
      .slice(0, MAX_MESSAGE)
      .match(/.{1,200}/gsu) ?? []
  return parts.length === 0 ? '' : `: ${parts.map(part => escaped(part)).join('')}`
}

const MAX_MESSAGE = 1000
