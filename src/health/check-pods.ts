import {type DeploymentParts} from './readiness/deployment-failure.js'
import {afterColon, conditionOf} from './readiness/conditions.js'
import {readinessOf} from './readiness/readiness.js'
import {currentPods} from './readiness/deployment-failure.js'
import {nameOf, objectKey, objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {escaped, shellWord} from '../text.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asText, type JsonValue} from '../yaml/json-value.js'
import {blockedPod} from './blocked-pod.js'
import type {BreakId} from './break-kinds.js'
import {broken, progress} from './findings.js'
import type {Finding} from './health.js'
import type {ControllerParts, HealthSnapshot} from './health-snapshot.js'
import {type PodProblem, podProblem} from './pod-problem.js'
import {describe, placed} from './remedies.js'
import {type Stuck, stuckRollout} from './rollout.js'

/** Checks why the Pods of a Deployment do not run, and whether those that do are restarted again and again. */
export function podFindings(deployment: KubernetesObject, snapshot: HealthSnapshot): readonly Finding[] {
  const key = objectKey(nameOf(deployment))
  const parts = snapshot.parts.get(key)
  const owned = parts && {deployment, ...parts}
  const problem = owned && podProblem(owned, snapshot.now)
  if (problem?.mayPass === false) return [problemFinding(problem, parts)]
  const readiness = readinessOf(deployment)
  const stuck = readiness.ready ? undefined : stuckIn(snapshot, key, owned)
  if (problem !== undefined) return [finding(stuck, factOf(problem))]
  if (readiness.ready) return []
  const blocked = owned && blockedPod(owned, owned.events)
  return [blocked ?? finding(stuck, unavailable(deployment, readiness.reason, stuck, parts))]
}

/** An object and its problem. */
interface Fact {
  readonly object: ObjectName
  readonly message: string
}

function finding(stuck: Stuck | undefined, fact: Fact): Finding {
  if (stuck === undefined) return progress('pods', fact)
  return broken(stuck.id, {...fact, suggestion: describe(fact.object)})
}

function stuckIn(
  {live, now}: HealthSnapshot,
  key: string,
  owned: DeploymentParts | undefined,
): Stuck | undefined {
  const observed = live.get(key)
  return observed && stuckRollout(observed, owned && unreadySince(owned), now)
}

/** The time since which a Pod of the newest revision has not been ready. */
function unreadySince(owned: DeploymentParts): JsonValue | undefined {
  const times = currentPods(owned)
    .map(pod => conditionOf(pod, 'Ready'))
    .flatMap(ready => (ready?.status === 'True' ? [] : asText(ready?.lastTransitionTime)))
  return times.sort()[0]
}

function unavailable(
  deployment: KubernetesObject,
  reason: string,
  stuck: Stuck | undefined,
  parts: ControllerParts | undefined,
): Fact {
  const object = nameOf(deployment)
  const why = stuck?.reason === undefined ? '' : `; ${stuck.reason}`
  const unread = parts?.eventsDenied === undefined ? '' : `; ${parts.eventsDenied}`
  return {object, message: `${escaped(objectText(object))} is not available: ${reason}${why}${unread}`}
}

function factOf({object: pod, reason}: PodProblem): Fact {
  const object = nameOf(pod)
  return {object, message: `${escaped(objectText(object))}: ${reason}`}
}

/** The reason that the ReplicaSet or the Pods report. */
function problemFinding(problem: PodProblem, parts: ControllerParts | undefined): Finding {
  const {object, message} = factOf(problem)
  const id = idOf(problem)
  const output = id === 'container-crash' ? afterColon(parts?.lastOutput) : ''
  return broken(id, {object, message: `${message}${output}`, suggestion: suggestionFor(id, object, problem)})
}

const IDS: Readonly<Record<Exclude<PodProblem['kind'], 'denied'>, BreakId>> = {
  failed: 'pod-failed',
  unschedulable: 'pod-unschedulable',
  image: 'image-pull',
  crash: 'container-crash',
  start: 'container-start',
  unready: 'controller-stalled',
}

function idOf({kind, reason}: PodProblem): BreakId {
  if (kind !== 'denied') return IDS[kind]
  // https://kubernetes.io/docs/concepts/policy/resource-quotas: the text of the admission plugin.
  return /exceeded quota|failed quota/.test(reason) ? 'pods-over-quota' : 'pods-rejected'
}

function suggestionFor(id: BreakId, object: ObjectName, {container, isPrevious}: PodProblem): string {
  if (id === 'pods-over-quota')
    return `kubectl describe resourcequota --namespace ${shellWord(object.namespace ?? '')}`
  if (id !== 'container-crash' || container === undefined) return describe(object)
  const log = `kubectl logs ${placed(object)} --container ${shellWord(container)}`
  return isPrevious === true ? `${log} --previous` : log
}
