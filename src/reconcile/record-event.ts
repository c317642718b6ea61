import {createHash} from 'node:crypto'
import type {ClusterApi} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {timeText} from '../kubernetes/time-text.js'
import {asText, type JsonObject} from '../yaml/json-value.js'
import type {Log} from './log.js'

/** Something that happened to an object, for those who look at it. */
export interface Occurrence {
  readonly object: KubernetesObject
  readonly type: 'Normal' | 'Warning'
  /** CamelCase. */
  readonly reason: string
  readonly message: string
}

/** The ports of Events, and the controller that reports them. */
export interface EventPorts {
  readonly api: Pick<ClusterApi, 'create' | 'get' | 'mergePatch' | 'now'>
  readonly log: Log
  /** The name of the controller. */
  readonly component: string
}

/** In bytes; an API server rejects longer messages. */
const MAX_MESSAGE = 1024
const MAX_NAME = 200

/** Records an Event; one that exists is counted. A failure is logged: no work depends on Events. */
export async function recordEvent(occurrence: Occurrence, {api, log, component}: EventPorts): Promise<void> {
  const event = eventOf(occurrence, component, timeText(api.now()))
  const options = {manager: component}
  try {
    if ((await api.create(event, options)) !== 'exists') return
    const {apiVersion, kind, metadata} = event
    const {name, namespace = ''} = metadata
    const same = {apiVersion, kind, name, namespace}
    const count = (await api.get(same))?.count
    const patch = {
      count: (typeof count === 'number' ? count : 0) + 1,
      lastTimestamp: event.lastTimestamp ?? '',
    }
    await api.mergePatch(same, patch, options)
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    log({level: 'warning', message: error.message})
  }
}

/** Marks a message that is cut. */
function withinLimit(message: string): string {
  const bytes = Buffer.from(message)
  if (bytes.length <= MAX_MESSAGE) return message
  const mark = '…'
  // A stream keeps back the character that is cut.
  const kept = bytes.subarray(0, MAX_MESSAGE - Buffer.byteLength(mark))
  return `${new TextDecoder().decode(kept, {stream: true})}${mark}`
}

/** The name is that of the content, so that a repetition is counted. Objects without a namespace have Events in `default`. */
function eventOf(occurrence: Occurrence, component: string, now: string): KubernetesObject {
  const {object, type, reason} = occurrence
  const {apiVersion, kind, metadata} = object
  const message = withinLimit(occurrence.message)
  const {name, namespace} = metadata
  const [uid, resourceVersion] = [asText(metadata.uid), asText(metadata.resourceVersion)]
  const hash = createHash('sha256').update([uid, type, reason, message].join('\0')).digest('hex')
  const place: JsonObject = namespace === undefined ? {} : {namespace}
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {name: `${name.slice(0, MAX_NAME)}.${hash.slice(0, 16)}`, namespace: namespace ?? 'default'},
    involvedObject: {
      apiVersion,
      kind,
      name,
      ...place,
      uid,
      resourceVersion,
    },
    type,
    reason,
    message,
    source: {component},
    reportingComponent: component,
    reportingInstance: component,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  }
}
