import {
  asObject,
  asObjects,
  asText,
  type KubernetesObject,
  mapConcurrent,
  type PlannedPackages,
  type RequestObjects,
  type SetInstall,
} from 'kubectl-crossplane/plugin'
import {isAuto, textOf} from './dependencies.js'
import {gatedApply, installSettings} from './install-pass.js'
import {judged, ownInstall, packageText, type PassResult} from './judge-install.js'
import type {PassPorts} from './pass-ports.js'
import type {Problem} from './problem.js'
import {settingsOfOthers} from './settings-of-others.js'
import {hostAccess, placeOf, whyNotAllowed, whyNotServed} from './served-request.js'
import {idOf, isRecord} from './written-records.js'

/** Changes of other namespaces wait for this one. */
export const MOST = 50
/** Concurrent judgements. */
export const CONCURRENT = 8

/**
 * Returns the requests that can be installed with one that is new: the new ones of its namespace, which neither take over an
 * install nor have pull secrets, as a registry must not get those of another request.
 */
export async function othersToInstall(
  request: KubernetesObject,
  ports: PassPorts,
): Promise<readonly KubernetesObject[]> {
  if (!isNew(request)) return []
  const others = (await othersOf(request, ports)).filter(
    each => isNew(each) && !ports.joint.has(asText(each.metadata.uid)),
  )
  if (others.length === 0) return []
  const taken = new Set((await ports.installer.installed()).map(textOf))
  const isFree = (each: KubernetesObject) => !taken.has(textOf(idOf(each)))
  return isFree(request) ? others.filter(isFree).slice(0, MOST - 1) : []
}

/**
 * Returns the other requests of the namespace and version of a request that can be in one change with it; none if it can be in
 * none, or is not served.
 */
export async function othersOf(
  request: KubernetesObject,
  ports: PassPorts,
): Promise<readonly KubernetesObject[]> {
  if (!canBeJoint(request)) return []
  const requests = await ports.requests()
  const place = await placeOf(ports)
  // Of several requests of one name, the oldest decides.
  const taken = new Set(repeated(requests.map(each => textOf(idOf(each)))))
  const isFree = (each: KubernetesObject) =>
    !taken.has(textOf(idOf(each))) && whyNotServed(each, place) === undefined
  if (!isFree(request)) return []
  const {apiVersion, metadata} = request
  return requests.filter(
    each =>
      each.metadata.uid !== metadata.uid &&
      each.metadata.namespace === metadata.namespace &&
      each.apiVersion === apiVersion &&
      canBeJoint(each) &&
      isFree(each),
  )
}

function repeated(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return texts.filter(text => counts.get(text) !== 1)
}

/**
 * Installs requests of one namespace as one change, and judges each; undefined if that is not possible, for example where one of
 * them depends on a package that none of them requests: then each needs a pass of its own. Throws the errors of
 * `package install`.
 */
export async function installTogether(
  requests: RequestObjects,
  ports: PassPorts,
): Promise<ReadonlyMap<KubernetesObject, PassResult> | undefined> {
  const [first] = requests
  const place = await placeOf(ports)
  const refusalOf = (packages: PlannedPackages) =>
    requests
      .map(each => settingsOfOthers(each, place, packages.before))
      .find(problem => problem !== undefined) ??
    whyNotAllowed(first, packages, place) ??
    hostAccess(packages) ??
    whyNotJoint(requests, packages)
  const rendered = await ports.installer.renderInstalls(requests, installSettings(false, place))
  if (whyNotJoint(requests, rendered) !== undefined) return undefined
  let applied: PlannedPackages | undefined
  await gatedApply(ports, packages => {
    applied = packages
    return refusalOf(packages)
  })(rendered)
  // Without it, nothing had to be changed.
  if (applied === undefined) return undefined
  const change = {...applied, notes: rendered.notes}
  const judging = await withHealths(change.installs, ports)
  const results = new Map<KubernetesObject, PassResult>()
  await mapConcurrent(requests, CONCURRENT, async request => {
    const own = ownInstall(change, request)
    await ports.writes.event(request, 'Normal', 'Installed', own === undefined ? '' : packageText(own))
    results.set(request, await judged(request, change, judging))
  })
  return results
}

/** Judges all installs at once: the health of each matters to its request, and to those that require it. */
export async function withHealths(installs: readonly SetInstall[], ports: PassPorts): Promise<PassPorts> {
  const {installer} = ports
  const healths = new Map((await installer.healths(installs)).map(each => [textOf(each), each]))
  const health: PassPorts['installer']['health'] = async id =>
    healths.get(textOf(id)) ?? (await installer.health(id))
  return {...ports, installer: {...installer, health}}
}

/** What no request of the change names gets a request of its own, which is the matter of a pass over the one that needs it. */
function whyNotJoint(
  requests: RequestObjects,
  {installs}: Pick<PlannedPackages, 'installs'>,
): Problem | undefined {
  const requested = new Set(requests.map(each => textOf(idOf(each))))
  const others = installs.filter(each => !requested.has(textOf(each)))
  const isWhole = installs.length - others.length === requested.size
  if (isWhole && others.every(({mode}) => mode === 'requested')) return undefined
  return {
    reason: 'WaitingForDependency',
    message: 'the requests need other installs than those that they name',
  }
}

/** Reports whether a request can be in one change with others: a registry must not get the pull secrets of another request. */
function canBeJoint(request: KubernetesObject): boolean {
  const {metadata, spec} = request
  if (isRecord(request) || isAuto(request) || metadata.deletionTimestamp !== undefined) return false
  return asObjects(asObject(spec).imagePullSecrets).length === 0
}

/** Reports whether no pass over a request has ended yet. */
function isNew({status}: KubernetesObject): boolean {
  return Object.keys(asObject(status)).length === 0
}
