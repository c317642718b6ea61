import type {ClusterApi, ListOptions, ResourceKind, WatchOptions} from '../cluster/api/cluster-api.js'
import {CrossplaneError} from '../errors.js'
import type {Clock} from '../http/clock.js'
import type {KubernetesObject} from '../kubernetes/kubernetes-object.js'
import {asText} from '../yaml/json-value.js'
import {type BackOff, backOff} from './back-off.js'
import type {Log} from './log.js'

/** The objects of a kind, as they were last seen. */
export interface ObjectCache {
  readonly kind: ResourceKind
  get(name: string, namespace?: string): KubernetesObject | undefined
  list(): readonly KubernetesObject[]
  /** Stores the response of a write, unless a newer version, or the deletion, was seen already. */
  put(object: KubernetesObject): void
  /** Why the objects are not known, or no longer up to date; undefined while they are watched. */
  readonly failure: CrossplaneError | undefined
  /** Whether all existing objects were seen at least once. */
  readonly isSynced: boolean
  /** Resolves when they were seen, with the first failure, or when the signal is aborted. */
  readonly settled: Promise<void>
}

/** Returns why the objects of some kind are not known; undefined if all are. */
export function notListed(caches: readonly ObjectCache[]): string | undefined {
  for (const {kind, isSynced, failure} of caches) {
    if (failure !== undefined) return failure.message
    if (!isSynced) return `the objects of ${kind.kind} were not listed yet`
  }
  return undefined
}

/** An object before and after a change: absent where it does not exist. */
export interface Change {
  readonly before?: KubernetesObject
  readonly after?: KubernetesObject
}

/** The objects to watch, and who must know of changes. */
export interface Watched extends Omit<ListOptions, 'pageSize' | 'mustBeServed'>, Pick<WatchOptions, 'kept'> {
  readonly kind: ResourceKind
  /** Is called for each object that appears, changes in any way or disappears; not for what `put` stores. */
  readonly changed: (change: Change) => void
}

/** The ports of a cache. */
export interface CachePorts {
  readonly api: Pick<ClusterApi, 'watch'>
  readonly clock: Clock
  readonly log: Log
}

/** Permissions and CRDs that are added later are noticed within this time. */
const BACK_OFF: BackOff = {first: 1000, longest: 30_000}
/** More than are deleted while a response is on its way. */
const MAX_REMOVED = 1000

/**
 * Watches objects until the signal is aborted. A watch that fails begins again, however often: what the cache has stays, and
 * objects that are gone by then are removed.
 */
export function watchObjects(watched: Watched, ports: CachePorts, signal: AbortSignal): ObjectCache {
  const cache = new WatchedObjects(watched)
  void follow(cache, watched, ports, signal).finally(() => cache.ended())
  return cache
}

class WatchedObjects implements ObjectCache {
  readonly kind: ResourceKind
  readonly settled: Promise<void>
  failure: CrossplaneError | undefined
  isSynced = false
  readonly #objects = new Map<string, KubernetesObject>()
  /** The uids of objects that were removed last: the response of a write can come after the event of the deletion. */
  readonly #removed = new Set<string>()
  readonly #changed: Watched['changed']
  readonly #kept: NonNullable<Watched['kept']>
  #settle = (): void => undefined

  constructor({kind, changed, kept = object => object}: Watched) {
    this.kind = kind
    this.#changed = changed
    this.#kept = kept
    this.settled = new Promise(resolve => (this.#settle = resolve))
  }

  get(name: string, namespace?: string): KubernetesObject | undefined {
    return this.#objects.get(keyOf(name, namespace))
  }

  list(): readonly KubernetesObject[] {
    return [...this.#objects.values()]
  }

  put(whole: KubernetesObject): void {
    const object = this.#kept(whole)
    const key = keyIn(object)
    if (this.#removed.has(uidOf(object))) return
    if (!isOlder(object, this.#objects.get(key))) this.#objects.set(key, object)
  }

  keys(): Set<string> {
    return new Set(this.#objects.keys())
  }

  see(object: KubernetesObject): void {
    const key = keyIn(object)
    const before = this.#objects.get(key)
    if (isOlder(object, before)) return
    // One that a selector leaves out for a time comes back.
    this.#removed.delete(uidOf(object))
    this.#objects.set(key, object)
    if (versionOf(before) === versionOf(object)) return
    this.#changed(before === undefined ? {after: object} : {before, after: object})
  }

  remove(key: string): void {
    const before = this.#objects.get(key)
    if (before === undefined) return
    this.#objects.delete(key)
    this.#forget(uidOf(before))
    this.#changed({before})
  }

  #forget(uid: string): void {
    const [first] = this.#removed.add(uid)
    if (first !== undefined && this.#removed.size > MAX_REMOVED) this.#removed.delete(first)
  }

  synced(): void {
    this.isSynced = true
    this.failure = undefined
    this.#settle()
  }

  /** A pass must not wait for objects that are no longer watched. */
  ended(): void {
    this.#settle()
  }

  failed(failure: CrossplaneError): void {
    this.failure = failure
    this.#settle()
  }
}

async function follow(
  cache: WatchedObjects,
  watched: Watched,
  {api, clock, log}: CachePorts,
  signal: AbortSignal,
): Promise<void> {
  const {kind, changed: _changed, ...options} = watched
  const isOver = () => signal.aborted
  for (let failures = 1; !isOver(); failures++) {
    const unseen = cache.keys()
    const listed = () => {
      for (const key of unseen) cache.remove(key)
      unseen.clear()
      cache.synced()
      failures = 0
    }
    try {
      for await (const {type, object} of api.watch(kind, {...options, mustBeServed: true, signal, listed})) {
        unseen.delete(keyIn(object))
        if (type === 'DELETED') cache.remove(keyIn(object))
        else cache.see(object)
      }
    } catch (error) {
      if (isOver()) return
      if (!(error instanceof CrossplaneError)) throw error
      if (cache.failure?.message !== error.message) log({level: 'warning', message: error.message})
      cache.failed(error)
    }
    if (!isOver()) await clock.sleep(backOff(Math.max(failures, 1), clock.random(), BACK_OFF), signal)
  }
}

function keyOf(name: string, namespace = ''): string {
  return `${namespace}/${name}`
}

function keyIn({metadata}: KubernetesObject): string {
  return keyOf(metadata.name, metadata.namespace)
}

function uidOf({metadata}: KubernetesObject): string {
  return asText(metadata.uid)
}

function versionOf(object: KubernetesObject | undefined): string {
  return asText(object?.metadata.resourceVersion)
}

/** Versions of one object can be compared as numbers: the API server promises it since Kubernetes 1.35, etcd always did. */
function isOlder(object: KubernetesObject, stored: KubernetesObject | undefined): boolean {
  if (stored === undefined || object.metadata.uid !== stored.metadata.uid) return false
  const [version, last] = [versionOf(object), versionOf(stored)]
  if (!/^\d+$/.test(version) || !/^\d+$/.test(last)) return false
  return BigInt(version) < BigInt(last)
}
