import {
  asTexts,
  CUSTOM_RESOURCES_ANNOTATION,
  type Diagnostic,
  finalizerOf,
  type KubernetesObject,
} from 'kubectl-crossplane/plugin'
import {isAuto, textOf} from './dependencies.js'
import {gatedApply, installSettings, whyNotApplied} from './install-pass.js'
import type {PassPorts} from './pass-ports.js'
import {type Problem, problemOf, rejectedBy, Stopped} from './problem.js'
import {isInstalled, type RequestState} from './request-status.js'
import {othersOf} from './same-name.js'
import {settingsOfOthers} from './settings-of-others.js'
import {isTrusted, kindProblem, type Place, placeOf, whyNotDeleted, whyNotServed} from './served-request.js'
import {idOf, installFor, isRecord} from './written-records.js'

/** Makes one pass over a request that is being deleted; returns its state while something stops it. */
export async function removalPass(
  request: KubernetesObject,
  ports: PassPorts,
): Promise<RequestState | undefined> {
  const place = await placeOf(ports)
  try {
    const left = await whyLeft(request, place, ports)
    if (left !== undefined) return await releaseAlone(request, left, ports)
    const refusal = whyNotDeleted(request, place)
    if (refusal !== undefined) return stopped(refusal)
    const change = (await isOfOther(request, ports))
      ? undefined
      : await ports.installer.planUninstall(idOf(request), optionsOf(request))
    if (change !== undefined && change.rejections.length > 0) {
      return stopped(rejectedBy(change.rejections, reasonOf(change.rejections)))
    }
    if (change !== undefined) {
      await gatedApply(ports, ({before}) => settingsOfOthers(request, place, before))(change)
      await ports.writes.event(request, 'Normal', 'Deleted', '')
    }
  } catch (error) {
    if (ports.isStopping()) throw error
    return stopped(problemOf(error))
  }
  await release(request, ports)
  return undefined
}

/**
 * Returns why a deletion removes nothing: the manager never served the request, so that what exists under its name was installed
 * by someone else. Undefined if it did. Throws what stops the deletion: whether it is served cannot be told.
 */
async function whyLeft(
  request: KubernetesObject,
  place: Place,
  ports: PassPorts,
): Promise<Problem | undefined> {
  if (isTrusted(request, place)) return undefined
  const {problem} = place.policy
  if (problem !== undefined) throw new Stopped({reason: 'PolicyRefused', message: problem})
  const unserved = kindProblem(request, place)
  if (unserved !== undefined || isInstalled(request)) return unserved
  const install = installFor(request, await ports.installer.installed())
  return install === undefined ? undefined : await whyNeverServed(request, place, ports)
}

/** A request without a status can have been served by a process that ended: then it could be served still. */
async function whyNeverServed(
  request: KubernetesObject,
  place: Place,
  ports: PassPorts,
): Promise<Problem | undefined> {
  if (isAuto(request)) return {reason: 'NotServed', message: 'no other request has installed it'}
  const refusal =
    whyNotServed(request, place) ?? settingsOfOthers(request, place, await ports.installer.installed())
  if (refusal !== undefined) return refusal
  try {
    const change = await ports.installer.planInstall([request], installSettings(false, place))
    return whyNotApplied(request, change, place)
  } catch (error) {
    const problem = problemOf(error)
    if (problem.isTransient === true) throw error
    return problem
  }
}

/** Lets a request go, and nothing else. */
async function releaseAlone(
  request: KubernetesObject,
  {message}: Problem,
  ports: PassPorts,
): Promise<undefined> {
  const text = `nothing was uninstalled, as this request installed nothing: ${message}`
  await ports.writes.event(request, 'Normal', 'Released', text)
  await release(request, ports)
  return undefined
}

/** The install of this name can be that of another request, or of a package where this is a record. */
async function isOfOther(request: KubernetesObject, {installer, requests}: PassPorts): Promise<boolean> {
  if (!isRecord(request)) return othersOf(request, await requests()).length > 0
  const installs = await installer.installed()
  const isNamed = installs.some(each => textOf(each) === textOf(idOf(request)))
  return isNamed && installFor(request, installs) === undefined
}

/** What stops a deletion, by the rules of `package uninstall`. */
function reasonOf(rejections: readonly Diagnostic[]): string {
  if (rejections.some(({rule}) => rule.startsWith('instances-'))) return 'InstancesExist'
  return rejections.some(({rule}) => rule === 'install-required') ? 'DependentsExist' : 'DeletionRefused'
}

function optionsOf({metadata}: KubernetesObject) {
  const text = metadata.annotations?.[CUSTOM_RESOURCES_ANNOTATION] ?? ''
  const [, count] = /^delete=(\d{1,9})$/.exec(text) ?? []
  const others = {withUnusedDependencies: false, adopt: false}
  if (count !== undefined)
    return {...others, customResources: 'delete' as const, confirmedInstances: Number(count)}
  return {...others, customResources: text === 'keep' ? ('keep' as const) : ('abort' as const)}
}

function stopped({reason, message}: {readonly reason: string; readonly message: string}): RequestState {
  return {
    ready: {status: 'False', reason: reason.endsWith('Exist') ? reason : 'Deleting', message},
    synced: {status: 'False', reason, message},
  }
}

/** Removes the finalizer, once. */
async function release(request: KubernetesObject, {read, writes}: PassPorts): Promise<void> {
  const live = await read(request)
  const finalizer = finalizerOf(request)
  if (live === undefined || live.metadata.uid !== request.metadata.uid) return
  const before = asTexts(live.metadata.finalizers)
  if (finalizer === undefined || !before.includes(finalizer)) return
  await writes.patch(live, {finalizers: before.filter(each => each !== finalizer)})
}
