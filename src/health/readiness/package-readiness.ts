import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {escaped} from '../../text.js'
import {asObject, asText, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import {conditionOf} from './conditions.js'

/** How far the core is with a request: what it made is healthy, it is still at work, or a condition says what is wrong. */
export type PackageReadiness =
  | {readonly state: 'healthy'}
  | {
      readonly state: 'starting' | 'broken'
      readonly reason: string
      /** Whether it is only that Crossplane ignores it, as a user requested. */
      readonly isPaused?: true
      /** The revision that a user has to activate. */
      readonly inactive?: string
    }

/**
 * Judges a Provider, Function or Configuration by its conditions. Those of an earlier package stay until the core has read
 * the new one.
 * @param revision - its current one; with it, what the core said of an earlier state of both does not count.
 * @param explanation - the revision whose conditions say why the package is not healthy.
 */
export function packageReadiness(
  object: KubernetesObject,
  revision?: KubernetesObject,
  explanation = revision,
): PackageReadiness {
  const {currentIdentifier} = asObject(object.status)
  const paused = conditionOf(object, 'Synced')
  if (paused?.reason === 'ReconcilePaused')
    return {state: 'broken', reason: 'its reconciliation is paused', isPaused: true}
  if (asText(currentIdentifier) !== asText(asObject(object.spec).package))
    return problemOf(object, 'Installed') ?? {state: 'starting', reason: 'Crossplane has not read it yet'}
  if (isOutdated(object, PACKAGE_CONDITIONS))
    return {state: 'starting', reason: 'Crossplane has not read its last change yet'}
  const inactive = inactiveRevision(object, revision)
  return inactive ?? conditionReadiness(object, explanation) ?? revisionReadiness(revision)
}

function conditionReadiness(
  object: KubernetesObject,
  explanation: KubernetesObject | undefined,
): PackageReadiness | undefined {
  const cause = explanation && causeIn(explanation)
  const problem = problemOf(object, 'Installed') ?? problemOf(object, 'Healthy', cause)
  if (problem !== undefined) return problem
  const isTrue = (type: string) => conditionOf(object, type)?.status === 'True'
  if (!isTrue('Installed')) return {state: 'starting', reason: 'it is not installed yet'}
  return isTrue('Healthy') ? undefined : {state: 'starting', reason: 'it is not healthy yet'}
}

const PACKAGE_CONDITIONS = ['Installed', 'Healthy']
const REVISION_CONDITIONS = ['RevisionHealthy', 'RuntimeHealthy', 'Healthy']

/** Reports whether a condition is of an earlier state of its object; before Crossplane 2, conditions do not say that. */
function isOutdated(object: KubernetesObject, types: readonly string[]): boolean {
  const {generation} = object.metadata
  return types.some(type => {
    const observed = conditionOf(object, type)?.observedGeneration
    return typeof observed === 'number' && typeof generation === 'number' && observed < generation
  })
}

/** Crossplane activates no revision of a package with the policy Manual: neither the new one, nor one from before. */
function inactiveRevision(
  object: KubernetesObject,
  revision: KubernetesObject | undefined,
): PackageReadiness | undefined {
  const {revisionActivationPolicy: policy} = asObject(object.spec)
  const isActive = asObject(revision?.spec).desiredState === 'Active'
  if (policy !== 'Manual' || isActive) return undefined
  if (conditionOf(object, 'Installed')?.reason !== 'InactivePackageRevision') return undefined
  const name = asText(asObject(object.status).currentRevision)
  const reason = `its revision ${escaped(name)} is not active, as its activation policy is Manual`
  return {state: 'broken', reason, inactive: name}
}

/** A revision that Crossplane activates again is healthy as before, until it has looked for what it requires. */
function revisionReadiness(revision: KubernetesObject | undefined): PackageReadiness {
  if (revision === undefined) return {state: 'healthy'}
  const name = escaped(revision.metadata.name)
  if (asObject(revision.spec).desiredState !== 'Active')
    return {state: 'starting', reason: `its revision ${name} is not active yet`}
  if (isOutdated(revision, REVISION_CONDITIONS))
    return {state: 'starting', reason: `Crossplane has not read its revision ${name} yet`}
  if (failedConditions(revision).length === 0) return {state: 'healthy'}
  return {state: 'starting', reason: `its revision ${name} is not healthy${causeOf(causeIn(revision))}`}
}

function failedConditions(revision: KubernetesObject): readonly JsonObject[] {
  return REVISION_CONDITIONS.map(type => conditionOf(revision, type))
    .filter(condition => condition !== undefined)
    .filter(({status}) => status === 'False')
}

/** What only waits for another part of Crossplane is a symptom: the condition of that part has the cause. */
function causeIn(revision: KubernetesObject): string | undefined {
  const messages = failedConditions(revision)
    .map(({message}) => asText(message))
    .filter(text => text !== '')
  return messages.find(text => !text.includes('waiting for')) ?? messages[0]
}

function problemOf(
  object: KubernetesObject,
  type: 'Installed' | 'Healthy',
  cause?: string,
): PackageReadiness | undefined {
  const condition = conditionOf(object, type)
  if (condition?.status !== 'False') return undefined
  const be = type === 'Installed' ? 'installed' : 'healthy'
  return {state: 'broken', reason: `it is not ${be}${causeOf(cause ?? condition.message)}`}
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
