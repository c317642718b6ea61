import type {CrossplaneError} from '../../errors.js'
import type {Clock} from '../../http/clock.js'
import {waitOrThrow} from '../../http/retry.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {asObject, asText} from '../../yaml/json-value.js'
import type {JsonObject, JsonValue} from '../../yaml/json-value.js'
import type {ListOptions, WatchEvent, WatchOptions} from './cluster-api.js'
import {failureOf} from './cluster-failure.js'
import {apiVersionOf} from './discovery.js'
import type {ApiResource} from './discovery.js'
import {jsonLines} from './json-lines.js'
import {keyOf, listRequest, pages} from './list.js'
import {METADATA_OF_OBJECT} from './media-types.js'
import {receivedItem} from './received-object.js'
import type {ApiRequest, Sender} from './sender.js'
import {statusError} from './status-error.js'

/** The dependencies of a watch. */
export interface Watching {
  readonly sender: Sender
  readonly clock: Clock
  readonly resource: ApiResource
}

/** Shorter than a connection may be idle: the server ends a quiet watch, and the next one continues it. */
const WATCH_SECONDS = 60
const MAX_EXPIRED = 3
/** Milliseconds between watches that a server ends at once. */
const PAUSE = 1000

/** Lists objects, then reports changes until the signal is aborted; events that expired (410) begin it again. */
export async function* watchObjects(
  watching: Watching,
  {signal, ...options}: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const {clock, resource} = watching
  const state = new WatchState()
  const isOver = () => signal.aborted
  for (let failures = 0; !isOver();) {
    const start = clock.elapsed()
    try {
      if (state.resourceVersion === '') yield* relisted(watching, options, state)
      for await (const event of eventsAfter(watching, {...options, signal}, state)) {
        failures = 0
        yield event
      }
      failures = 0
      if (!isOver() && clock.elapsed() - start < PAUSE) await clock.sleep(PAUSE, signal)
    } catch (error) {
      if (isOver()) return
      failures++
      if (!isExpired(error))
        await waitOrThrow({clock, name: `watch ${resource.plural}`, signal}, error, failures)
      else if (failures > MAX_EXPIRED) throw error
      else state.moveTo('')
    }
  }
}

/** The objects as last seen, and the version up to which events were seen; empty before the list. */
class WatchState {
  readonly objects = new Map<string, KubernetesObject>()
  #resourceVersion = ''

  get resourceVersion(): string {
    return this.#resourceVersion
  }

  moveTo(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion
  }
}

/** Reports the differences from the known state. */
async function* relisted(
  {sender, resource}: Watching,
  {listed, kept = whole, ...options}: Omit<WatchOptions, 'signal'>,
  state: WatchState,
): AsyncGenerator<WatchEvent, void, undefined> {
  const gone = new Map(state.objects)
  let resourceVersion = ''
  for await (const page of pages(sender, resource, options)) {
    ;({resourceVersion} = page)
    for (const received of page.objects) {
      const object = kept(received)
      const key = keyOf(object)
      const isUnchanged = versionOf(gone.get(key)) === versionOf(object)
      gone.delete(key)
      state.objects.set(key, object)
      if (!isUnchanged) yield {type: 'ADDED', object}
    }
  }
  for (const [key, object] of gone) {
    state.objects.delete(key)
    yield {type: 'DELETED', object}
  }
  state.moveTo(resourceVersion)
  listed?.()
}

function whole(object: KubernetesObject): KubernetesObject {
  return object
}

function versionOf(object: KubernetesObject | undefined): string {
  return asText(object?.metadata.resourceVersion)
}

async function* eventsAfter(
  {sender, resource}: Watching,
  {signal, kept = whole, ...options}: WatchOptions,
  state: WatchState,
): AsyncGenerator<WatchEvent, void, undefined> {
  const request = watchRequest(resource, options, state.resourceVersion)
  const {body} = await sender.open({...request, signal})
  for await (const line of jsonLines(body, request.aim)) {
    const {type, object} = asObject(line)
    if (type === 'ERROR') throw eventError(object, request)
    if (!isChange(type)) {
      // A bookmark has a version, and no name.
      state.moveTo(asText(asObject(asObject(object).metadata).resourceVersion) || state.resourceVersion)
      continue
    }
    const received = kept(receivedItem(object ?? null, kindOf(resource), request.aim))
    state.moveTo(versionOf(received))
    if (type === 'DELETED') state.objects.delete(keyOf(received))
    else state.objects.set(keyOf(received), received)
    yield {type, object: received}
  }
}

function kindOf(resource: ApiResource) {
  return {apiVersion: apiVersionOf(resource), kind: resource.kind}
}

function isChange(type: JsonValue | undefined): type is WatchEvent['type'] {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED'
}

function watchRequest(resource: ApiResource, options: ListOptions, resourceVersion: string): ApiRequest {
  const request = listRequest(resource, options)
  const watch = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    timeoutSeconds: String(WATCH_SECONDS),
    resourceVersion,
  }
  return {
    ...request,
    ...(options.metadataOnly === true ? {accept: METADATA_OF_OBJECT} : {}),
    query: {...request.query, ...watch},
    aim: `watch ${resource.plural}`,
    verb: 'watch',
  }
}

/** An event can be the `Status` of a failure, which has its code in the body. */
function eventError(object: JsonValue | undefined, request: ApiRequest): CrossplaneError {
  const status: JsonObject = asObject(object)
  const code = typeof status.code === 'number' ? status.code : 500
  const {reason, message} = status
  return statusError({
    request: `WATCH ${request.path}`,
    aim: request,
    response: {status: code, headers: {}},
    status: {reason: asText(reason), message: asText(message), causes: []},
  })
}

function isExpired(error: unknown): boolean {
  return failureOf(error)?.status === 410
}
