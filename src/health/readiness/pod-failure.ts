import {quoted} from '../../text.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {conditionOf, afterColon} from './conditions.js'

/** The reason why a Pod is not ready. */
export interface PodFailure {
  readonly kind: 'failed' | 'unschedulable' | 'image' | 'crash' | 'start' | 'unready'
  /** States the fact. */
  readonly reason: string
  /** The container that failed; untrusted text. */
  readonly container?: string
  /** The message that the container wrote before it ended, if the kubelet reports it; untrusted text. */
  readonly output?: string
  /** Whether the log of the run that failed is that before the last restart. */
  readonly isPrevious?: boolean
  /** Whether the container has to fail again to be in a crash loop. */
  readonly isFirst?: boolean
}

/** The number of restarts that are a loop; one can be part of starting, such as before a CRD is served. */
export const LOOP = 2

/**
 * The time after which the kubelet forgets the restarts of a running container, in milliseconds.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
 */
export const RECOVERY = 10 * 60 * 1000

/**
 * Finds the reason why a Pod is not ready, as the scheduler and the kubelet report it; undefined if there is no reason.
 * `now` is in milliseconds since the epoch.
 */
export function podFailure(pod: KubernetesObject, now: number): PodFailure | undefined {
  const {phase, reason, message, initContainerStatuses, containerStatuses} = asObject(pod.status)
  if (phase === 'Failed')
    return {kind: 'failed', reason: `its Pod failed${afterColon(reason)}${afterColon(message)}`}
  const scheduled = conditionOf(pod, 'PodScheduled')
  if (scheduled?.status === 'False') {
    return {kind: 'unschedulable', reason: `its Pod cannot be scheduled${afterColon(scheduled.message)}`}
  }
  const statuses = [...asObjects(initContainerStatuses), ...asObjects(containerStatuses)]
  const failures = statuses.flatMap(status => containerFailure(status) ?? [])
  return gravest(failures) ?? unreadyContainer(asObjects(containerStatuses), now)
}

/** Returns the first of the failures that cannot be part of starting, else the first one. */
export function gravest<T extends PodFailure>(failures: readonly T[]): T | undefined {
  const isCertain = ({kind, isFirst}: PodFailure) => kind !== 'unready' && isFirst !== true
  return failures.find(isCertain) ?? failures.find(({kind}) => kind !== 'unready') ?? failures[0]
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

function containerFailure(status: JsonObject): PodFailure | undefined {
  const name = asText(status.name)
  const container = `container ${quoted(name)}`
  const {waiting, terminated} = asObject(status.state)
  const {reason, message} = asObject(waiting)
  if (IMAGE_REASONS.includes(asText(reason))) {
    const text = `${container} cannot pull its image ${quoted(asText(status.image))}${afterColon(message)}`
    return {kind: 'image', reason: text, container: name}
  }
  if (reason === 'CrashLoopBackOff') return lastCrash(status)
  if (!BEGINNING.includes(asText(reason))) {
    const text = `${container} cannot start${afterColon(reason)}${afterColon(message)}`
    return {kind: 'start', reason: text, container: name}
  }
  const ended = asObject(terminated)
  if (!isFailure(ended)) return undefined
  return {...crash(name, ended), isFirst: Number(status.restartCount) + 1 < LOOP}
}

function isFailure({exitCode}: JsonObject): boolean {
  return typeof exitCode === 'number' && exitCode !== 0
}

/** Describes how a container ended before its last restart. */
export function lastCrash({name, lastState}: JsonObject): PodFailure {
  const {terminated} = asObject(lastState)
  return {...crash(asText(name), asObject(terminated)), isPrevious: terminated !== undefined}
}

/** The message that the container wrote before it ended. */
function crash(container: string, {exitCode, reason, message}: JsonObject): PodFailure {
  const code = typeof exitCode === 'number' ? ` with ${exitCode}` : ''
  const why = reason === 'Error' || reason === 'Completed' ? '' : afterColon(reason)
  const text = `container ${quoted(container)} exits${code}${why}${afterColon(message)}`
  const output = asText(message).trim()
  return {kind: 'crash', reason: text, container, ...(output === '' ? {} : {output})}
}

/** A container that runs, and whose readiness probe fails or that failed shortly before and was started again. */
function unreadyContainer(statuses: readonly JsonObject[], now: number): PodFailure | undefined {
  const unready = statuses.find(({ready, state}) => ready === false && asObject(state).running !== undefined)
  if (unready === undefined) return undefined
  const container = asText(unready.name)
  const before = asObject(asObject(unready.lastState).terminated)
  if (isFailure(before) && !hasRecovered(before, now)) {
    return {...lastCrash(unready), isFirst: Number(unready.restartCount) < LOOP}
  }
  return {kind: 'unready', reason: `container ${quoted(container)} is running but not ready`, container}
}

/** Reports whether a container ended so long ago that this no longer explains its state; false for an unknown time. */
function hasRecovered({finishedAt}: JsonObject, now: number): boolean {
  return now - Date.parse(asText(finishedAt)) >= RECOVERY
}
