import {
  type Change,
  type ClusterApi,
  groupOf,
  type KubernetesObject,
  type ObjectCache,
  type ObjectName,
  watchObjects,
} from 'kubectl-crossplane/plugin'
import type {CachePorts} from './cache-ports.js'

/** Port: the objects of custom resources as they exist. */
export interface Children {
  /** Finds an object that a custom resource has or could have. */
  find(name: ObjectName, parent: KubernetesObject): Promise<KubernetesObject | undefined>
  /** Takes note of the response of a write. */
  put(object: KubernetesObject): void
}

/** Reads each object with a request. */
export function readChildren(api: Pick<ClusterApi, 'get'>): Children {
  return {find: async name => await api.get(name), put: () => undefined}
}

/**
 * Watches the kinds of objects once they are needed, of which only those of custom resources: objects of others, and kinds
 * that must not be watched, are read with a request.
 */
export function watchedChildren({
  ports,
  namespace,
  changed,
  signal,
}: {
  readonly ports: CachePorts & {readonly api: Pick<ClusterApi, 'get' | 'watch'>}
  /** Absent for all namespaces. */
  readonly namespace?: string
  readonly changed: (change: Change) => void
  readonly signal: AbortSignal
}): Children {
  const caches = new Map<string, ObjectCache>()
  const cacheOf = (child: ObjectName, parent: KubernetesObject) => {
    const labelSelector = selectorOf(parent)
    const key = [child.apiVersion, child.kind, labelSelector].join(' ')
    const kind = {apiVersion: child.apiVersion, kind: child.kind}
    const place = namespace === undefined ? {} : {namespace}
    const cache = caches.get(key) ?? watchObjects({kind, labelSelector, ...place, changed}, ports, signal)
    caches.set(key, cache)
    return cache
  }
  return {
    async find(name, parent) {
      const cache = cacheOf(name, parent)
      await cache.settled
      const isCurrent = cache.isSynced && cache.failure === undefined
      const seen = isCurrent ? cache.get(name.name, name.namespace) : undefined
      return seen ?? (await ports.api.get(name))
    },
    put(object) {
      for (const cache of caches.values()) {
        const {apiVersion, kind} = cache.kind
        if (apiVersion === object.apiVersion && kind === object.kind) cache.put(object)
      }
    },
  }
}

function selectorOf({apiVersion, kind}: KubernetesObject): string {
  return `core.crossplane.io/parent-group=${groupOf(apiVersion)},core.crossplane.io/parent-kind=${kind}`
}
