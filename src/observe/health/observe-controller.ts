import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {DeploymentParts} from '../../health/readiness/deployment-failure.js'
import {readPods, readReplicaSets} from '../readiness/explain.js'
import {CrossplaneError} from '../../errors.js'
import {waitingPods} from '../../health/blocked-pod.js'
import {expectedObjects} from '../../health/expected-objects.js'
import type {ControllerParts} from '../../health/health-snapshot.js'
import type {ObservedObject} from '../../health/observed-object.js'
import {podProblem} from '../../health/pod-problem.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {uidOf} from '../../plan/cluster/state/ownership.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {DeniedReads} from '../objects/denied-reads.js'

/** The cluster that is read, and the time. */
interface Looking {
  readonly api: ClusterApi
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Reads the objects that the Deployment of a controller owns, even if it is available: its containers can crash in
 * turns.
 */
export async function readControllers(
  record: KubernetesObject | undefined,
  live: ReadonlyMap<string, ObservedObject>,
  {api, now}: Looking,
  reads: DeniedReads,
): Promise<ReadonlyMap<string, ControllerParts>> {
  const {deployment: want} = record === undefined ? {} : expectedObjects(record)
  const key = want === undefined ? '' : objectKey(nameOf(want))
  const deployment = live.get(key)?.object
  if (deployment === undefined) return new Map()
  const [replicaSets, pods] = await Promise.all([
    reads.attempt(`replicasets of ${key}`, () => readReplicaSets(api, deployment)),
    reads.attempt(`pods of ${key}`, () => readPods(api, deployment)),
  ])
  if (replicaSets === undefined || pods === undefined) return new Map()
  const owned = {deployment, replicaSets, pods}
  const [output, events] = await Promise.all([readOutput(owned, {api, now}), readEvents(owned, api)])
  return new Map([[key, {replicaSets, pods, ...events, ...(output === '' ? {} : {lastOutput: output})}]])
}

/** The maximum number of waiting Pods whose events are read. */
const MAX_PODS = 3
const MAX_EVENTS = 500

/** Reads the events of Pods that wait, or the reason why they must not be read. */
async function readEvents(
  owned: DeploymentParts,
  api: ClusterApi,
): Promise<Pick<ControllerParts, 'events' | 'eventsDenied'>> {
  const reads = new DeniedReads()
  const events: KubernetesObject[] = []
  for (const pod of waitingPods(owned).slice(0, MAX_PODS)) {
    events.push(...((await reads.attempt('events', () => eventsOf(pod, api))) ?? []))
  }
  const denial = reads.denials.get('events')
  return {events, ...(denial === undefined ? {} : {eventsDenied: denial.message})}
}

async function eventsOf(pod: KubernetesObject, api: ClusterApi): Promise<readonly KubernetesObject[]> {
  const events: KubernetesObject[] = []
  const {namespace} = pod.metadata
  const options = {namespace, fieldSelector: `involvedObject.uid=${uidOf(pod)}`}
  for await (const event of api.list({apiVersion: 'v1', kind: 'Event'}, options)) {
    events.push(event)
    if (events.length >= MAX_EVENTS) break
  }
  return events
}

const LOG_LINES = 3

/** The end of the log of a container that crashed, unless the kubelet reports it; empty if it cannot be read. */
async function readOutput(parts: DeploymentParts, {api, now}: Looking): Promise<string> {
  const problem = podProblem(parts, now)
  if (problem?.container === undefined || problem.kind !== 'crash' || problem.output !== undefined) return ''
  const {object: pod, container, isPrevious = false} = problem
  try {
    return (await api.log(nameOf(pod), {container, previous: isPrevious, lines: LOG_LINES})).trim()
  } catch (error) {
    // The output is optional: a kubelet that does not answer must not hide the crash.
    if (error instanceof CrossplaneError) return ''
    throw error
  }
}
