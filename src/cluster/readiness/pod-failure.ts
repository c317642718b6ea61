import {quoted} from '../../text.js'
import type {KubernetesObject} from '../../unpack/kubernetes-object.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {conditionOf, afterColon} from './readiness.js'

/** Finds why a Pod is not ready, as the scheduler and the kubelet report it; undefined if there is no reason. */
export function podFailure(pod: KubernetesObject): string | undefined {
  const {phase, reason, message, initContainerStatuses, containerStatuses} = asObject(pod.status)
  if (phase === 'Failed') return `its Pod failed${afterColon(reason)}${afterColon(message)}`
  const scheduled = conditionOf(pod, 'PodScheduled')
  if (scheduled?.status === 'False') return `its Pod cannot be scheduled${afterColon(scheduled.message)}`
  const statuses = [...asObjects(initContainerStatuses), ...asObjects(containerStatuses)]
  const failures = statuses.flatMap(status => containerFailure(status) ?? [])
  return failures[0] ?? unreadyContainer(asObjects(containerStatuses))
}

const IMAGE_REASONS = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
]
/** Reasons that every container has at first. */
const BEGINNING = ['ContainerCreating', 'PodInitializing', '']

function containerFailure(status: JsonObject): string | undefined {
  const container = `container ${quoted(asText(status.name))}`
  const {waiting, terminated} = asObject(status.state)
  const {reason, message} = asObject(waiting)
  if (IMAGE_REASONS.includes(asText(reason))) {
    return `${container} cannot pull its image ${quoted(asText(status.image))}${afterColon(message)}`
  }
  if (reason === 'CrashLoopBackOff') return crash(container, asObject(asObject(status.lastState).terminated))
  if (!BEGINNING.includes(asText(reason)))
    return `${container} cannot start${afterColon(reason)}${afterColon(message)}`
  const ended = asObject(terminated)
  return isFailure(ended) ? crash(container, ended) : undefined
}

function isFailure({exitCode}: JsonObject): boolean {
  return typeof exitCode === 'number' && exitCode !== 0
}

/** The message that the container wrote before it ended. */
function crash(container: string, {exitCode, reason, message}: JsonObject): string {
  const code = typeof exitCode === 'number' ? ` with ${exitCode}` : ''
  const why = reason === 'Error' || reason === 'Completed' ? '' : afterColon(reason)
  return `${container} exits${code}${why}${afterColon(message)}`
}

/** A container that runs, and whose readiness probe fails. */
function unreadyContainer(statuses: readonly JsonObject[]): string | undefined {
  const unready = statuses.find(({ready, state}) => ready === false && asObject(state).running !== undefined)
  return unready === undefined
    ? undefined
    : `container ${quoted(asText(unready.name))} runs, and is not ready`
}
