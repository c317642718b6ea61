import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {gravest, podFailure, type PodFailure} from './pod-failure.js'
import {conditionOf, afterColon} from './conditions.js'

/** The objects that a Deployment owns, and possibly others of its namespace. */
export interface DeploymentParts {
  readonly deployment: KubernetesObject
  readonly replicaSets: readonly KubernetesObject[]
  readonly pods: readonly KubernetesObject[]
}

/** The reason why a Deployment is not available. */
export interface DeploymentFailure extends Omit<PodFailure, 'kind'> {
  readonly kind: PodFailure['kind'] | 'denied'
  /** The Pod, or the ReplicaSet whose Pods are `denied`. */
  readonly object: KubernetesObject
}

/**
 * Finds the reason why a Deployment does not become available, in the parts of its newest revision: Pods that cannot be
 * created, then those that cannot be scheduled or do not run. Undefined if no reason is reported. `now` is in milliseconds
 * since the epoch.
 */
export function deploymentFailure(parts: DeploymentParts, now: number): DeploymentFailure | undefined {
  const current = currentReplicaSet(parts)
  if (current === undefined) return undefined
  const failure = conditionOf(current, 'ReplicaFailure')
  if (failure?.status === 'True') {
    const reason = `its Pods cannot be created${afterColon(failure.message)}`
    return {kind: 'denied', reason, object: current}
  }
  const failures = currentPods(parts).flatMap(pod => {
    const problem = podFailure(pod, now)
    return problem === undefined ? [] : [{...problem, object: pod}]
  })
  return gravest(failures)
}

/** The Pods of the newest revision of a Deployment: not those that are being deleted, nor those that were replaced. */
export function currentPods(parts: DeploymentParts): readonly KubernetesObject[] {
  const current = currentReplicaSet(parts)
  if (current === undefined) return []
  const pods = parts.pods.filter(
    object => isOwned(object, current) && object.metadata.deletionTimestamp === undefined,
  )
  const unended = pods.filter(({status}) => !ENDED.includes(asText(asObject(status).phase)))
  return unended.length > 0 ? unended : pods
}

/** The phases in which a Pod stays; its ReplicaSet creates another one. */
const ENDED = ['Failed', 'Succeeded']

function currentReplicaSet({deployment, replicaSets}: DeploymentParts): KubernetesObject | undefined {
  return replicaSets
    .filter(object => isOwned(object, deployment))
    .find(object => revisionOf(object) === revisionOf(deployment))
}

function isOwned({metadata}: KubernetesObject, {metadata: owner}: KubernetesObject): boolean {
  const uid = asText(owner.uid)
  return uid !== '' && asObjects(metadata.ownerReferences).some(reference => reference.uid === uid)
}

function revisionOf({metadata}: KubernetesObject): string {
  return asText(asObject(metadata.annotations)['deployment.kubernetes.io/revision'])
}
