import {asText, type KubernetesObject, type RequestCount} from 'kubectl-crossplane/plugin'
import {lastState} from './request-status.js'

/** Counts requests by namespace, kind and the states of their conditions. */
export function requestCounts(requests: readonly KubernetesObject[]): readonly RequestCount[] {
  const counts = new Map<string, RequestCount>()
  for (const request of requests) {
    const state = stateOf(request)
    const key = JSON.stringify(state)
    counts.set(key, {...state, count: (counts.get(key)?.count ?? 0) + 1})
  }
  return [...counts.values()]
}

function stateOf(request: KubernetesObject): Omit<RequestCount, 'count'> {
  const [ready, synced] = [lastState(request, 'Ready'), lastState(request, 'Synced')]
  const {namespace = ''} = request.metadata
  return {
    namespace,
    kind: request.kind,
    ready: asText(ready.status),
    synced: asText(synced.status),
    reason: asText((synced.status === 'False' ? synced : ready).reason),
  }
}
