import {
  asObject,
  eraOf,
  type InstallSettings,
  type KubernetesObject,
  type PlannedChange,
  type PlannedPackages,
  RUNTIME_ANNOTATION,
  type SetInstall,
} from 'kubectl-crossplane/plugin'
import {abandonedRequests, dependencyRequests, textOf} from './dependencies.js'
import {
  installedFor,
  judged,
  notInstalled,
  ownInstall,
  packageText,
  type PassResult,
  refused,
} from './judge-install.js'
import type {PassPorts} from './pass-ports.js'
import {joined, type Problem, problemOf, rejectedBy, Stopped} from './problem.js'
import {whyNotFirst} from './same-name.js'
import {isSameVersion, joinedTexts, takenBack} from './taken-back.js'
import {hasOwnSettings, settingsOfOthers} from './settings-of-others.js'
import {hostAccess, isTrusted, type Place, placeOf, whyNotAllowed, whyNotServed} from './served-request.js'
import {idOf, isRecord} from './written-records.js'

/** Makes one pass over a request that stays: plans, applies, and judges what is there. */
export async function installPass(written: KubernetesObject, ports: PassPorts): Promise<PassResult> {
  const place = await placeOf(ports)
  const refusal =
    whyNotServed(written, place) ??
    (hasOwnSettings(written, place)
      ? undefined
      : settingsOfOthers(written, place, await ports.installer.installed()))
  if (refusal !== undefined) return await notInstalled(written, refusal, ports)
  const request = isTrusted(written, place) ? await withRuntime(written, ports) : written
  const later = whyNotFirst(request, await ports.requests())
  if (later !== undefined) return refused(later)
  try {
    const adopt = place.systemNamespace === request.metadata.namespace && (await isOfOriginal(request, ports))
    const change = await ports.installer.planInstall([request], installSettings(adopt, place))
    const refusalOf = (packages: PlannedPackages) =>
      settingsOfOthers(request, place, packages.before) ??
      whyNotAllowed(request, packages, place) ??
      hostAccess(packages)
    const problem = whyNotApplied(request, change, place)
    if (problem !== undefined) return await notInstalled(request, problem, ports)
    await apply(request, change, {...ports, apply: gatedApply(ports, refusalOf)})
    return await judged(request, change, ports)
  } catch (error) {
    if (ports.isStopping()) throw error
    return await notInstalled(request, problemOf(error), ports)
  }
}

/** Returns why a planned change is not applied for a request; undefined if it can be. */
export function whyNotApplied(
  request: KubernetesObject,
  change: PlannedChange,
  place: Place,
): Problem | undefined {
  const rejected = change.rejections.length > 0 ? rejectedBy(change.rejections, 'Conflict') : undefined
  return whyNotAllowed(request, change, place) ?? hostAccess(change) ?? rejected
}

/** The settings of an install under the policy of a place. */
export function installSettings(adopt: boolean, {policy: {bytes}}: Place): InstallSettings {
  return {adopt, ...(bytes === undefined ? {} : {policy: bytes})}
}

/** The first pass over a request keeps the runtime of an install that it takes over. */
async function withRuntime(request: KubernetesObject, ports: PassPorts): Promise<KubernetesObject> {
  const {annotations = {}} = request.metadata
  if (isRecord(request)) return request
  if (asObject(request.status).resolved !== undefined || RUNTIME_ANNOTATION in annotations) return request
  const before = await installedFor(request, ports)
  if (before?.request?.runtime === undefined) return request
  const runtime = JSON.stringify(before.request.runtime)
  return await ports.writes.patch(request, {annotations: {...annotations, [RUNTIME_ANNOTATION]: runtime}})
}

/** The cluster is planned again before the first change, and what is applied passes the same gates. */
export function gatedApply(
  {apply: applyChange}: PassPorts,
  refusalOf: (packages: PlannedPackages) => Problem | undefined,
): PassPorts['apply'] {
  const gate = (packages: PlannedPackages) => {
    const problem = refusalOf(packages)
    if (problem !== undefined) throw new Stopped(problem)
  }
  return async change => await applyChange(change, gate)
}

/** The original package manager names the record of what it installed, and in a record its controller. */
async function isOfOriginal(request: KubernetesObject, ports: PassPorts): Promise<boolean> {
  const status = asObject(request.status)
  if (isRecord(request))
    return status.controllerRef !== undefined && (await installedFor(request, ports)) === undefined
  const field = eraOf(request.apiVersion)?.recordField
  return field !== undefined && status[field] !== undefined && status.resolved === undefined
}

async function apply(request: KubernetesObject, change: PlannedChange, ports: PassPorts): Promise<void> {
  const root = idOf(request)
  for (const dependency of dependencyRequests(change.installs, root)) await ports.writes.create(dependency)
  if (change.size > 0) await applied(request, change, ports)
  const abandoned = abandonedRequests(root, change.installs, await ports.requests())
  if (abandoned.length === 0) return
  const installed = new Set((await ports.installer.installed()).map(textOf))
  for (const each of abandoned) if (!installed.has(textOf(idOf(each)))) await ports.writes.remove(each)
}

async function applied(request: KubernetesObject, change: PlannedChange, ports: PassPorts): Promise<void> {
  const [before, own] = [await installedFor(request, ports), ownInstall(change, request)]
  const taken = own === undefined || before === undefined ? '' : await takenBack(change, before, own)
  await ports.apply(change)
  if (own === undefined) return
  const text = own.package === undefined ? '' : packageText(own)
  await ports.writes.event(request, 'Normal', changeReason(before, own), joinedTexts([text, taken]))
  const risks = joined(change.risks.map(({message}) => message))
  if (risks !== '') await ports.writes.event(request, 'Warning', 'PackageWarning', risks)
}

function changeReason(before: Pick<SetInstall, 'package'> | undefined, after: SetInstall): string {
  if (before === undefined) return 'Installed'
  return isSameVersion(before, after) ? 'DriftCorrected' : 'Upgraded'
}
