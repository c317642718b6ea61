import {
  type ClusterApi,
  failureOf,
  type JsonObject,
  type KubernetesObject,
  type Log,
  nameOf,
  type ObjectCache,
  type ObjectName,
  objectText,
  recordEvent,
  type ResourceKind,
  timeText,
} from 'kubectl-crossplane/plugin'
import {isSameKind} from './kinds.js'
import {FIELD_MANAGER} from './names.js'

/** An Event to record. */
export interface EventText {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  /** The name of the controller. */
  readonly source: string
}

/** Port: the objects of a cluster, as passes read and change them. */
export interface Store {
  list(kind: ResourceKind): readonly KubernetesObject[]
  /** Returns the object as it was last seen; asks the API server if it was not. */
  get(object: ObjectName): Promise<KubernetesObject | undefined>
  /** Asks the API server. */
  read(object: ObjectName): Promise<KubernetesObject | undefined>
  create(object: KubernetesObject): Promise<KubernetesObject | 'exists'>
  /** Returns an object as it would be created. */
  wouldCreate(object: KubernetesObject): Promise<KubernetesObject | 'exists'>
  /** Changes an object if it is still as it was read. */
  patch(object: KubernetesObject, patch: JsonObject): Promise<KubernetesObject>
  /** The same for its status. */
  patchStatus(object: KubernetesObject, status: JsonObject): Promise<KubernetesObject>
  /** Deletes this object, and not one of the same name. */
  delete(object: KubernetesObject): Promise<void>
  event(object: KubernetesObject, event: EventText): Promise<void>
  /** In the format of Kubernetes. */
  now(): string
}

/** The ports of a store. */
export interface StorePorts {
  readonly api: ClusterApi
  readonly log: Log
  readonly caches: () => readonly ObjectCache[]
  /** Are called for what the store itself writes, which caches do not report. */
  readonly created?: (object: KubernetesObject) => void
  readonly changed?: (object: KubernetesObject) => void
}

const MANAGER = {manager: FIELD_MANAGER}

/** Creates a store whose reads are those of caches, which learn of its writes. */
export function clusterStore({api, log, caches, created, changed}: StorePorts): Store {
  const cacheOf = (kind: ResourceKind) => caches().find(cache => isSameKind(cache.kind, kind))
  const seen = (object: KubernetesObject) => {
    cacheOf(object)?.put(object)
    changed?.(object)
    return object
  }
  const versioned = ({metadata}: KubernetesObject, patch: JsonObject): JsonObject => {
    const {resourceVersion = null, uid = null} = metadata
    return {...patch, metadata: {...(patch.metadata as JsonObject | undefined), resourceVersion, uid}}
  }
  return {
    list: kind => cacheOf(kind)?.list() ?? [],
    get: async object => cacheOf(object)?.get(object.name, object.namespace) ?? (await api.get(object)),
    read: async object => await api.get(object),
    create: async requested => {
      const result = await api.create(requested, MANAGER)
      if (result === 'exists') return result
      log({level: 'info', message: `${objectText(nameOf(requested))} created`})
      const object = seen(result.object)
      created?.(object)
      return object
    },
    wouldCreate: async object => {
      const result = await api.create(object, {...MANAGER, dryRun: true})
      return result === 'exists' ? result : result.object
    },
    patch: async (object, patch) =>
      seen((await api.mergePatch(nameOf(object), versioned(object, patch), MANAGER)).object),
    patchStatus: async (object, status) => {
      const patch = versioned(object, {status})
      return seen((await api.mergePatch(nameOf(object), patch, {...MANAGER, subresource: 'status'})).object)
    },
    delete: async object => {
      const {uid} = object.metadata
      await api.delete(nameOf(object), typeof uid === 'string' ? {uid} : {})
      log({level: 'info', message: `${objectText(nameOf(object))} deleted`})
    },
    event: async (object, {source, ...event}) => {
      const {type, reason, message} = event
      const fields = {object: objectText(nameOf(object)), reason}
      log({level: type === 'Warning' ? 'warning' : 'info', message, fields})
      await recordEvent({object, ...event}, {api, log, component: source})
    },
    now: () => timeText(api.now()),
  }
}

/** Whether an object changed since it was read, or is gone: a pass over its new state follows. */
export function isOutdated(error: unknown): boolean {
  const failure = failureOf(error)
  return failure !== undefined && (failure.status === 409 || (failure.status === 404 && !failure.isUnserved))
}
