import {
  asObject,
  asTexts,
  finalizerOf,
  type KubernetesObject,
  mapConcurrent,
  type RequestObjects,
} from 'kubectl-crossplane/plugin'
import {abandonedRequests, dependencyRequests, textOf} from './dependencies.js'
import {installSettings} from './install-pass.js'
import {judged, ownInstall, type PassResult, withRequired} from './judge-install.js'
import {CONCURRENT, MOST, othersOf, withHealths} from './joint-install.js'
import {canBeChecked} from './joint-state.js'
import type {PassPorts} from './pass-ports.js'
import {lastState} from './request-status.js'
import {hostAccess, placeOf, whyNotAllowed} from './served-request.js'
import {idOf} from './written-records.js'

/** Returns the requests that can be looked at with one that is ready: the ready ones of its namespace. */
export async function othersToCheck(
  request: KubernetesObject,
  ports: PassPorts,
): Promise<readonly KubernetesObject[]> {
  if (!isSettled(request)) return []
  const others = await othersOf(request, ports)
  return others.filter(each => isSettled(each) && canBeChecked(each, ports)).slice(0, MOST - 1)
}

/**
 * Plans ready requests of one namespace as one change, and judges each if there is nothing to change. Returns those that are
 * still ready; each of the others needs a pass of its own. Throws the errors of `package install`.
 */
export async function checkTogether(
  requests: RequestObjects,
  ports: PassPorts,
): Promise<ReadonlyMap<KubernetesObject, PassResult>> {
  const [first] = requests
  const results = new Map<KubernetesObject, PassResult>()
  const place = await placeOf(ports)
  const change = await ports.installer.planInstall(requests, installSettings(false, place))
  if (change.size > 0 || change.rejections.length > 0) return results
  if ((whyNotAllowed(first, change, place) ?? hostAccess(change)) !== undefined) return results
  const all = await ports.requests()
  const existing = new Set(all.map(each => textOf(idOf(each))))
  const judging = await withHealths(change.installs, ports)
  await mapConcurrent(requests, CONCURRENT, async request => {
    const root = idOf(request)
    const part = {...change, installs: withRequired(root, change.installs)}
    const isMade = dependencyRequests(part.installs, root).every(each => existing.has(textOf(idOf(each))))
    // What this program requests for it changes in a pass of its own.
    if (!isMade || abandonedRequests(root, part.installs, all).length > 0) return
    if (ownInstall(part, request) === undefined) return
    const result = await judged(request, part, judging)
    if (isReady(result)) results.set(request, result)
  })
  return results
}

/** Reports whether a pass has found that a request is fulfilled, and nothing is awaited. */
export function isReady({state: {ready, synced}}: Pick<PassResult, 'state'>): boolean {
  return ready?.status === 'True' && synced.status === 'True'
}

/** Reports whether the last pass over a request as it is has fulfilled it. */
function isSettled(request: KubernetesObject): boolean {
  const {metadata, status} = request
  const {resolved, observedGeneration} = asObject(status)
  const finalizer = finalizerOf(request)
  return (
    resolved !== undefined &&
    (['Ready', 'Synced'] as const).every(type => lastState(request, type).status === 'True') &&
    observedGeneration === metadata.generation &&
    (finalizer === undefined || asTexts(metadata.finalizers).includes(finalizer))
  )
}
