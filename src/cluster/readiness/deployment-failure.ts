import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {podFailure} from './pod-failure.js'
import {conditionOf, afterColon} from './readiness.js'

/** The objects that a Deployment owns, and possibly others of its namespace. */
export interface DeploymentParts {
  readonly deployment: KubernetesObject
  readonly replicaSets: readonly KubernetesObject[]
  readonly pods: readonly KubernetesObject[]
}

/**
 * Finds the reason why a Deployment is not available, in the parts of its newest revision: Pods that cannot be
 * created, then those that cannot be scheduled or do not run. Undefined if no reason is reported.
 */
export function deploymentFailure({deployment, replicaSets, pods}: DeploymentParts): string | undefined {
  const current = replicaSets
    .filter(each => isOwned(each, deployment))
    .find(each => revisionOf(each) === revisionOf(deployment))
  if (current === undefined) return undefined
  const failure = conditionOf(current, 'ReplicaFailure')
  if (failure?.status === 'True') return `its Pods cannot be created${afterColon(failure.message)}`
  const failures = pods.filter(each => isOwned(each, current)).flatMap(pod => podFailure(pod) ?? [])
  return failures[0]
}

function isOwned({metadata}: KubernetesObject, {metadata: owner}: KubernetesObject): boolean {
  const uid = asText(owner.uid)
  return uid !== '' && asObjects(metadata.ownerReferences).some(reference => reference.uid === uid)
}

function revisionOf({metadata}: KubernetesObject): string {
  return asText(asObject(metadata.annotations)['deployment.kubernetes.io/revision'])
}
