import {currentPods, type DeploymentParts} from './readiness/deployment-failure.js'
import {afterColon} from './readiness/conditions.js'
import {nameOf, objectText} from '../kubernetes/object-key.js'
import {compareText} from '../reference/compare-text.js'
import {uidOf} from '../plan/cluster/state/ownership.js'
import {escaped} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../yaml/json-value.js'
import {broken} from './findings.js'
import type {Finding} from './health.js'
import {describe} from './remedies.js'

/**
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/events/event.go: the reasons that keep containers
 * from starting.
 */
const BLOCKING = [
  'FailedMount',
  'FailedAttachVolume',
  'FailedMapVolume',
  'FailedCreatePodSandBox',
  'NetworkNotReady',
]

/** Finds a Pod whose containers were never started, if the newest event about it states the reason. */
export function blockedPod(parts: DeploymentParts, events: readonly KubernetesObject[]): Finding | undefined {
  for (const pod of waitingPods(parts)) {
    const event = newest(events.filter(({involvedObject}) => asObject(involvedObject).uid === uidOf(pod)))
    if (event === undefined || !BLOCKING.includes(asText(event.reason))) continue
    const object = nameOf(pod)
    const message = `${escaped(objectText(object))}: its containers cannot start${afterColon(event.reason)}${afterColon(event.message)}`
    return broken('pod-blocked', {object, message, suggestion: describe(object)})
  }
  return undefined
}

/** The Pods of the newest revision of a Deployment whose containers were never started. */
export function waitingPods(parts: DeploymentParts): readonly KubernetesObject[] {
  return currentPods(parts).filter(({status}) => asText(asObject(status).phase) === 'Pending')
}

function newest(events: readonly KubernetesObject[]): KubernetesObject | undefined {
  return [...events].sort((a, b) => compareText(timeOf(a), timeOf(b))).at(-1)
}

/** Of an event that is repeated, its last time. Times of one format are ordered as texts. */
function timeOf({metadata, series, lastTimestamp, eventTime}: KubernetesObject): string {
  const times = [asObject(series).lastObservedTime, lastTimestamp, eventTime, metadata.creationTimestamp]
  return times.map(asText).sort().at(-1) ?? ''
}
