import {
  currentPods,
  deploymentFailure,
  type DeploymentFailure,
  type DeploymentParts,
} from './readiness/deployment-failure.js'
import {lastCrash, LOOP, RECOVERY} from './readiness/pod-failure.js'
import {count} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText, type JsonObject} from '../yaml/json-value.js'
import {ageOf} from './ages.js'

/** A problem with the Pods of a Deployment. */
export interface PodProblem extends DeploymentFailure {
  /** Whether an install has it while it starts. */
  readonly mayPass: boolean
}

/**
 * Finds the reason why the Pods of a Deployment do not run, or why their containers end again and again although they
 * run at this moment; undefined if there is none.
 */
export function podProblem(parts: DeploymentParts, now: number): PodProblem | undefined {
  const failure = deploymentFailure(parts, now)
  // A container that runs or is restarted may become ready.
  const isCertain = failure !== undefined && failure.kind !== 'unready' && failure.isFirst !== true
  if (isCertain) return {...failure, mayPass: false}
  const restarts = currentPods(parts).flatMap(pod => recentRestarts(pod, now))
  const loop = restarts.find(({mayPass}) => !mayPass)
  if (loop !== undefined || failure === undefined) return loop ?? restarts[0]
  return {...failure, mayPass: true}
}

/** The containers that run, and ended a short time ago. */
function recentRestarts(pod: KubernetesObject, now: number): PodProblem[] {
  const {initContainerStatuses, containerStatuses} = asObject(pod.status)
  return [...asObjects(initContainerStatuses), ...asObjects(containerStatuses)]
    .filter(({state}) => asObject(state).running !== undefined)
    .flatMap(status => restartOf(status, pod, now) ?? [])
}

function restartOf(status: JsonObject, object: KubernetesObject, now: number): PodProblem | undefined {
  const {startedAt, finishedAt} = asObject(asObject(status.lastState).terminated)
  const end = Date.parse(asText(finishedAt))
  if (!(now - end < RECOVERY)) return undefined
  const restarts = Number(status.restartCount)
  const crash = lastCrash(status)
  const reason = `${crash.reason}; it was restarted ${count(restarts, 'time')}`
  return {...crash, object, reason, mayPass: restarts < LOOP || ageOf(startedAt, end) >= RECOVERY}
}
