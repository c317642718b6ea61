import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {requestEraOf} from '../../render/era.js'
import {activationCommand, isPackageRequest} from '../../plan/cluster/state/core-state.js'
import {packageReadiness} from './package-readiness.js'
import {quoted} from '../../text.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {JsonValue} from '../../yaml/json-value.js'
import {afterColon, conditionOf} from './conditions.js'

/** The readiness of an object, and the reason if it is not ready: a fact such as `the names are not accepted: "…"`. */
export type Readiness =
  | {readonly ready: true}
  | {
      readonly ready: false
      readonly reason: string
      /** Waiting longer does not help. */
      readonly isFinal?: boolean
      /** What makes it ready. */
      readonly suggestions?: readonly string[]
    }

/**
 * Judges an object by its kind; one of a kind without readiness is ready when it exists.
 * @param revision - of a package for a current Crossplane, its current one.
 */
export function readinessOf(object: KubernetesObject, revision?: KubernetesObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return pending(deletionReason(object))
  if (requestEraOf(object) !== undefined) return requestReadiness(object)
  if (isPackageRequest(object)) return coreReadiness(object, revision)
  switch (`${object.apiVersion.split('/')[0] ?? ''} ${object.kind}`) {
    case 'apiextensions.k8s.io CustomResourceDefinition':
      return crdReadiness(object)
    case 'apps Deployment':
      return deploymentReadiness(object)
    case 'v1 Namespace':
      return namespaceReadiness(object)
    default:
      return READY
  }
}

const READY = {ready: true} as const

function pending(reason: string, isFinal = false): Readiness {
  return {ready: false, reason, ...(isFinal ? {isFinal} : {})}
}

/** A CRD that is being deleted lists its remaining instances in a condition. */
function deletionReason(object: KubernetesObject): string {
  const {message} = conditionOf(object, 'Terminating') ?? {}
  return `it is being deleted${afterColon(message)}`
}

/** Reports whether a CRD was ever established: before that, the API server accepts no instance of it. */
export function isEstablished(crd: KubernetesObject): boolean {
  return conditionOf(crd, 'Established')?.status === 'True'
}

function crdReadiness(crd: KubernetesObject): Readiness {
  const accepted = conditionOf(crd, 'NamesAccepted')
  if (accepted?.status === 'False')
    return pending(`its names are not accepted${afterColon(accepted.message)}`, true)
  const established = conditionOf(crd, 'Established')
  if (established?.status === 'True') return READY
  return pending(`it is not established${afterColon(established?.message)}`)
}

/** Crossplane tries again, whatever the reason; but it activates no revision that a user has to. */
function coreReadiness(object: KubernetesObject, revision: KubernetesObject | undefined): Readiness {
  const readiness = packageReadiness(object, revision)
  if (readiness.state === 'healthy') return READY
  // Only the revision itself tells whether it is active by now.
  const {reason, inactive} = readiness
  if (inactive === undefined || revision === undefined) return pending(reason)
  return {ready: false, reason, isFinal: true, suggestions: [activationCommand(object.kind, inactive)]}
}

/** As package managers report it; that of this program also reports which generation it has seen. */
function requestReadiness({status, metadata}: KubernetesObject): Readiness {
  const {conditionedStatus, observedGeneration} = asObject(status)
  const condition = (type: string) => conditionOf({status: conditionedStatus ?? null}, type)
  const {status: synced, message} = condition('Synced') ?? {}
  if (observedGeneration !== undefined && number(observedGeneration) < number(metadata.generation))
    return pending('its package manager has not observed its last change yet')
  const isRejected = observedGeneration !== undefined && synced === 'False'
  if (condition('Ready')?.status === 'True' && !isRejected) return READY
  return pending(`its package manager does not report it as ready${afterColon(message)}`)
}

function namespaceReadiness({status}: KubernetesObject): Readiness {
  const phase = asText(asObject(status).phase)
  return phase === 'Active' ? READY : pending(`its phase is ${quoted(phase)}`)
}

/** As `kubectl rollout status` does. */
function deploymentReadiness(deployment: KubernetesObject): Readiness {
  const {spec, status, metadata} = deployment
  const {replicas: desired = 1} = asObject(spec)
  const counts = asObject(status)
  if (number(counts.observedGeneration) < number(metadata.generation)) {
    return pending('its last change is not observed yet')
  }
  const progress = conditionOf(deployment, 'Progressing')
  if (progress?.reason === 'ProgressDeadlineExceeded') {
    return pending(`its progress deadline is exceeded${afterColon(failureMessage(deployment))}`, true)
  }
  const want = number(desired)
  const [updated, available] = [number(counts.updatedReplicas), number(counts.availableReplicas)]
  const failure = afterColon(failureMessage(deployment))
  if (updated < want) return pending(`${updated} of ${want} replicas are updated${failure}`)
  if (number(counts.replicas) > updated) return pending('old replicas are still running')
  if (available < updated) return pending(`${available} of ${want} replicas are available${failure}`)
  return READY
}

function failureMessage(deployment: KubernetesObject): JsonValue | undefined {
  const failure = conditionOf(deployment, 'ReplicaFailure')
  return failure?.status === 'True' ? failure.message : undefined
}

function number(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0
}
