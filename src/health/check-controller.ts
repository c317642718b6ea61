import {
  currentPods,
  type DeploymentParts,
  deploymentFailure,
  type DeploymentFailure,
} from '../cluster/readiness/deployment-failure.js'
import {readinessOf, afterColon} from '../cluster/readiness/readiness.js'
import {nameOf, objectKey, objectText} from '../kubernetes/object-key.js'
import type {ObjectName} from '../kubernetes/object-name.js'
import {uidOf} from '../plan/cluster/ownership.js'
import {escaped, quoted, shellWord} from '../text.js'
import type {KubernetesObject} from '../unpack/kubernetes-object.js'
import {asObject, asText} from '../yaml/json-value.js'
import type {BreakId} from './break-kinds.js'
import {existing} from './check-identity.js'
import type {ExpectedObjects} from './expected-objects.js'
import {broken, progress} from './findings.js'
import type {Finding} from './health.js'
import type {ControllerParts, HealthSnapshot} from './health-snapshot.js'
import {reinstall} from './reinstall.js'
import {describe} from './remedies.js'

/** Checks the Deployment of a controller, and why its Pods do not run. */
export function checkController({deployment}: ExpectedObjects, snapshot: HealthSnapshot): readonly Finding[] {
  return existing(deployment, 'controller-missing', snapshot, deploymentFindings)
}

function deploymentFindings(
  live: KubernetesObject,
  want: KubernetesObject,
  snapshot: HealthSnapshot,
): readonly Finding[] {
  const object = nameOf(live)
  const text = escaped(objectText(object))
  const [account, wanted] = [accountOf(live), accountOf(want)]
  if (account !== wanted) {
    const message = `${text} runs under the service account ${quoted(account)} instead of ${quoted(wanted)}`
    return [broken('controller-other-account', {object, message, suggestion: reinstall(snapshot)})]
  }
  if (asObject(live.spec).replicas === 0)
    return asObject(want.spec).replicas === 0 ? [] : [scaledToZero(object)]
  const readiness = readinessOf(live)
  if (readiness.ready) return []
  const {reason, isFinal = false} = readiness
  const parts = snapshot.parts.get(objectKey(object))
  const problem = parts && partsFinding({deployment: live, ...parts}, parts, isFinal)
  if (problem !== undefined) return [problem]
  const message = `${text} is not available: ${reason}`
  return isFinal
    ? [broken('controller-stalled', {object, message, suggestion: describe(object)})]
    : [progress('pods', {object, message})]
}

function accountOf({spec}: KubernetesObject): string {
  return asText(asObject(asObject(asObject(spec).template).spec).serviceAccountName)
}

function scaledToZero(object: ObjectName): Finding {
  return broken('controller-scaled-to-zero', {
    object,
    message: `${escaped(objectText(object))} has 0 replicas`,
    suggestion: `kubectl scale deployment ${shellWord(object.name)} --namespace ${shellWord(asText(object.namespace))} --replicas=1`,
  })
}

/** What the ReplicaSet, the Pods or their events name as the reason. */
function partsFinding(owned: DeploymentParts, parts: ControllerParts, isFinal: boolean): Finding | undefined {
  const problem = deploymentFailure(owned)
  if (problem === undefined) return blocked(owned, parts)
  const object = nameOf(problem.object)
  const message = `${escaped(objectText(object))}: ${problem.reason}`
  // A container that runs may become ready.
  if (problem.kind === 'unready' && !isFinal) return progress('pods', {object, message})
  const id = idOf(problem)
  const output =
    id === 'container-crash' && parts.lastOutput !== undefined ? afterColon(parts.lastOutput) : ''
  return broken(id, {object, message: `${message}${output}`, suggestion: suggestionFor(id, object, problem)})
}

const IDS: Readonly<Record<Exclude<DeploymentFailure['kind'], 'denied'>, BreakId>> = {
  failed: 'pod-failed',
  unschedulable: 'pod-unschedulable',
  image: 'image-pull',
  crash: 'container-crash',
  start: 'container-start',
  unready: 'controller-stalled',
}

function idOf({kind, reason}: DeploymentFailure): BreakId {
  if (kind !== 'denied') return IDS[kind]
  // https://kubernetes.io/docs/concepts/policy/resource-quotas: the text of the admission plugin.
  return /exceeded quota|failed quota/.test(reason) ? 'pods-over-quota' : 'pods-rejected'
}

function suggestionFor(id: BreakId, object: ObjectName, {container}: DeploymentFailure): string {
  const {name, namespace = ''} = object
  const within = `--namespace ${shellWord(namespace)}`
  if (id === 'pods-over-quota') return `kubectl describe resourcequota ${within}`
  if (id !== 'container-crash' || container === undefined) return describe(object)
  return `kubectl logs ${shellWord(name)} ${within} --container ${shellWord(container)} --previous`
}

/** https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/events/event.go: what keeps containers from starting. */
const BLOCKING = [
  'FailedMount',
  'FailedAttachVolume',
  'FailedMapVolume',
  'FailedCreatePodSandBox',
  'NetworkNotReady',
]

/** A Pod whose containers were never started, and a warning that says why. */
function blocked(owned: DeploymentParts, {events}: ControllerParts): Finding | undefined {
  for (const pod of currentPods(owned)) {
    if (asText(asObject(pod.status).phase) !== 'Pending') continue
    const event = events.findLast(
      ({reason, involvedObject}) =>
        BLOCKING.includes(asText(reason)) && asObject(involvedObject).uid === uidOf(pod),
    )
    if (event === undefined) continue
    const object = nameOf(pod)
    const message = `${escaped(objectText(object))}: its containers cannot start${afterColon(event.reason)}${afterColon(event.message)}`
    return broken('pod-blocked', {object, message, suggestion: describe(object)})
  }
  return undefined
}
