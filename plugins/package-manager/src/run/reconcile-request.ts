import {
  asText,
  asTexts,
  CrossplaneError,
  eraOf,
  failureOf,
  finalizerOf,
  type JsonValue,
  type KubernetesObject,
  mapConcurrent,
  type Outcome,
  type RequestObjects,
  sha256Of,
  writeJson,
} from 'kubectl-crossplane/plugin'
import {dependentsOf, isAuto, rootsOf, textOf} from './dependencies.js'
import {installPass} from './install-pass.js'
import {dependencyPass, type PassResult} from './judge-install.js'
import {checkTogether, isReady, othersToCheck} from './joint-check.js'
import {installTogether, othersToInstall} from './joint-install.js'
import {canBeChecked, checkedAt, installedAt, isFoundReady, RESYNC, untilOwnPass} from './joint-state.js'
import type {PassPorts} from './pass-ports.js'
import {problemOf} from './problem.js'
import {removalPass} from './removal-pass.js'
import {lastState, nextStatus, podsAwaited, type RequestState} from './request-status.js'
import {idOf, isByHand, isRecord} from './written-records.js'

/** What a request waits for can be published without a change in the cluster. */
const WAITING = 300_000
const SOON = 1000
/** Custom resources are not watched: a deletion that waits for them looks again. */
const REMOVAL = 15_000
/** Pull secrets are not watched either, as the manager may not list Secrets. */
const SECRET = 15_000

/** Concurrent changes of requests. */
const CONCURRENT = 8

/** Makes one pass over a request, or a record that a user wrote, and reports it in its status and by Events. */
export async function reconcileRequest(request: KubernetesObject, ports: PassPorts): Promise<Outcome> {
  try {
    return await pass(request, {...ports, installer: ports.installer.forPass()})
  } catch (error) {
    if (ports.isStopping()) return {result: 'requeue'}
    if (isOutdated(error)) return {result: 'requeue', again: SOON}
    throw error
  }
}

async function pass(request: KubernetesObject, ports: PassPorts): Promise<Outcome> {
  const era = eraOf(request.apiVersion)
  if (era === undefined) return {result: 'success'}
  if (isRecord(request) && !isByHand(request, await ports.requests())) return {result: 'success'}
  const original = await ports.installer.original(era.name)
  if (original !== undefined) {
    const message = `the package manager ${original} is running, and processes this request`
    await ports.writes.event(request, 'Normal', 'OriginalManagerRunning', message)
    return {result: 'success', again: WAITING}
  }
  if (request.metadata.deletionTimestamp !== undefined) return await removal(request, ports)
  if (isAuto(request)) return await dependency(request, ports)
  const joint = (await checkedWithOthers(request, ports)) ?? (await installedWithOthers(request, ports))
  return joint ?? (await ownPass(request, ports))
}

async function ownPass(request: KubernetesObject, ports: PassPorts): Promise<Outcome> {
  let isFound = false
  ports.joint.set(uidOf(request), 'checking')
  try {
    const current = await withFinalizer(request, ports)
    const {isTransient, ...next} = await installPass(current, ports)
    await reportResult(current, next, ports)
    if (isTransient === true) return {result: 'error'}
    isFound = isReady(next) && next.state.installed !== undefined
    return {result: 'success', again: waitOf(next, podsAwaited(current, next.state, ports.now()))}
  } finally {
    endCheck(request, isFound, ports)
  }
}

/** A change meanwhile means that it has to be looked at again. */
function endCheck(request: KubernetesObject, isFound: boolean, ports: PassPorts): void {
  const {joint, now} = ports
  const uid = uidOf(request)
  if (joint.get(uid) !== 'checking') return
  joint.set(uid, isFound && !ports.hasChanged(request) ? checkedAt(Date.parse(now())) : 'alone')
}

/**
 * Looks at a request that is ready together with the others of its namespace that are due. Returns how the pass over it ends;
 * undefined if it is not ready, or there are no others.
 */
async function checkedWithOthers(request: KubernetesObject, ports: PassPorts): Promise<Outcome | undefined> {
  const {joint} = ports
  const isDue = () => joint.get(uidOf(request)) !== 'alone' && untilOwnPass(request, ports) === undefined
  if (!isDue()) return undefined
  const candidates = await othersToCheck(request, ports)
  // Another worker can have chosen them meanwhile; between this and the marks, nothing is awaited.
  const others = candidates.filter(each => canBeChecked(each, ports))
  if (!isDue() || others.length === 0) return undefined
  const all = [request, ...others] as const
  for (const each of all) joint.set(uidOf(each), 'checking')
  const found = new Set<KubernetesObject>()
  try {
    await ignoringFailures(checkAll(all, found, ports), ports)
  } finally {
    for (const each of all) endCheck(each, found.has(each), ports)
  }
  const changed = all.filter(each => !isFoundReady(joint.get(uidOf(each))))
  for (const each of changed) if (each !== request) ports.wake(textOf(idOf(each)))
  // It may have changed since it was read.
  return changed.includes(request) ? {result: 'requeue', again: SOON} : {result: 'success', again: RESYNC}
}

/**
 * Installs a new request with the others of its namespace that wait. Returns how the pass over it ends: it is being installed
 * with others, was found ready, or has changed meanwhile; undefined if it needs a pass of its own.
 */
async function installedWithOthers(
  request: KubernetesObject,
  ports: PassPorts,
): Promise<Outcome | undefined> {
  const {joint} = ports
  const uid = uidOf(request)
  if (!joint.has(uid)) {
    const others = await othersToInstall(request, ports)
    // Another worker can have chosen this request meanwhile; between this check and the marks, nothing is awaited.
    if (!joint.has(uid))
      return await installedWith(
        others.filter(each => !joint.has(uidOf(each))),
        request,
        ports,
      )
  }
  const again = untilOwnPass(request, ports)
  if (again !== undefined) return {result: 'success', again}
  // A pass with others gave it a finalizer since it was read: whatever this pass writes would be outdated.
  if (!hasFinalizer(request) && ports.hasChanged(request)) return {result: 'requeue', again: SOON}
  joint.set(uid, 'alone')
  return undefined
}

function hasFinalizer(request: KubernetesObject): boolean {
  const finalizer = finalizerOf(request)
  return finalizer === undefined || asTexts(request.metadata.finalizers).includes(finalizer)
}

/** Looks at requests together; adds those that are still ready to `found`. */
async function checkAll(
  requests: RequestObjects,
  found: Set<KubernetesObject>,
  ports: PassPorts,
): Promise<void> {
  const results = await checkTogether(requests, ports)
  await mapConcurrent([...results], CONCURRENT, async ([request, result]) => {
    await reportResult(request, result, ports)
    found.add(request)
  })
}

/** A failure of what is done with several requests is explained by the passes over each of them. Throws what is a bug. */
async function ignoringFailures(work: Promise<void>, ports: PassPorts): Promise<void> {
  try {
    await work
  } catch (error) {
    if (ports.isStopping()) throw error
    if (!isOutdated(error)) problemOf(error)
  }
}

async function installedWith(
  others: readonly KubernetesObject[],
  request: KubernetesObject,
  ports: PassPorts,
): Promise<Outcome | undefined> {
  const {joint} = ports
  const all = [request, ...others] as const
  for (const each of all) joint.set(uidOf(each), 'installing')
  try {
    if (others.length > 0) await ignoringFailures(installAll(all, ports), ports)
  } finally {
    wakeOthers(all, ports)
  }
  const again = untilOwnPass(request, ports)
  if (again !== undefined) return {result: 'success', again}
  joint.set(uidOf(request), 'alone')
  // It has a finalizer since it was read.
  return others.length > 0 ? {result: 'requeue', again: SOON} : undefined
}

/** Those that were not installed with others need passes of their own; the first is in one. */
function wakeOthers(requests: RequestObjects, {joint, wake}: PassPorts): void {
  for (const each of requests) {
    if (isFoundReady(joint.get(uidOf(each)))) continue
    joint.set(uidOf(each), 'alone')
    if (each !== requests[0]) wake(textOf(idOf(each)))
  }
}

async function installAll(requests: RequestObjects, ports: PassPorts): Promise<void> {
  const current = new Map<string, KubernetesObject>()
  await mapConcurrent(requests, CONCURRENT, async request => {
    current.set(uidOf(request), await withFinalizer(request, ports))
  })
  const [first, ...others] = requests.map(each => current.get(uidOf(each)) ?? each)
  const results = first && (await installTogether([first, ...others], ports))
  await mapConcurrent([...(results ?? [])], CONCURRENT, async ([request, result]) => {
    await reportResult(request, result, ports)
    if (result.state.ready?.status === 'True' && !ports.wasEdited(request))
      ports.joint.set(uidOf(request), installedAt(Date.parse(ports.now())))
  })
}

/** A change of a Deployment is seen at once; why its Pods do not start is looked up after as long as they have not. */
function waitOf(
  {needsSecret, isWaiting}: Pick<PassResult, 'needsSecret' | 'isWaiting'>,
  pods: number,
): number {
  if (needsSecret === true) return SECRET
  return isWaiting === true ? Math.min(RESYNC, Math.max(WAITING, pods)) : RESYNC
}

async function dependency(request: KubernetesObject, ports: PassPorts): Promise<Outcome> {
  const requests = await ports.requests()
  const installed = await ports.installer.installed()
  if (dependentsOf(request, installed, requests).length === 0) {
    await ports.writes.remove(request)
    return {result: 'success'}
  }
  for (const key of rootsOf(request, installed, requests)) ports.wake(key)
  const current = await withFinalizer(request, ports)
  const {state, ...next} = await dependencyPass(current, ports)
  await report(current, state, ports)
  return {result: 'success', again: waitOf(next, podsAwaited(current, state, ports.now()))}
}

async function removal(request: KubernetesObject, ports: PassPorts): Promise<Outcome> {
  const finalizer = finalizerOf(request)
  if (finalizer === undefined || !asTexts(request.metadata.finalizers).includes(finalizer))
    return {result: 'success'}
  const state = await removalPass(request, ports)
  if (state !== undefined) {
    await report(request, state, ports)
    return {result: 'success', again: REMOVAL}
  }
  // Another request of this name has waited for it.
  ports.wake(textOf(idOf(request)))
  for (const each of await ports.requests()) {
    if (isAuto(each)) ports.wake(textOf(idOf(each)))
  }
  return {result: 'success'}
}

async function withFinalizer(request: KubernetesObject, {writes}: PassPorts): Promise<KubernetesObject> {
  const before = asTexts(request.metadata.finalizers)
  const finalizer = finalizerOf(request)
  if (finalizer === undefined || before.includes(finalizer)) return request
  return await writes.patch(request, {finalizers: [...before, finalizer]})
}

async function reportResult(
  request: KubernetesObject,
  {state, waitsFor = []}: PassResult,
  ports: PassPorts,
): Promise<void> {
  ports.waits(request, waitsFor)
  await report(request, state, ports)
}

async function report(request: KubernetesObject, state: RequestState, ports: PassPorts): Promise<void> {
  const status = nextStatus(request, state, ports.now())
  const uid = uidOf(request)
  const hash = hashOf(request.status ?? null, status ?? null)
  if (status === undefined || ports.written.get(uid) === hash) return
  await ports.writes.patchStatus(request, status)
  ports.written.set(uid, hash)
  await announce(request, state, ports)
}

/** Reports a change of a condition as an Event: of Synced while it is not True, of Ready then, and new warnings. */
async function announce(
  request: KubernetesObject,
  {ready, synced}: RequestState,
  {writes}: PassPorts,
): Promise<void> {
  const isSynced = synced.status === 'True'
  if (isSynced && synced.message !== '' && lastState(request, 'Synced').message !== synced.message)
    await writes.event(request, 'Warning', 'PackageWarning', synced.message)
  const next = isSynced ? (ready ?? synced) : synced
  const before = lastState(request, isSynced ? 'Ready' : 'Synced')
  if (before.reason === next.reason && before.message === next.message) return
  await writes.event(request, next.status === 'True' ? 'Normal' : 'Warning', next.reason, next.message)
}

/** The hash of a change of a status, without its times. */
function hashOf(before: JsonValue, after: JsonValue): string {
  return sha256Of(writeJson({before, after}).replace(/"lastTransitionTime": *"[^"]*"/g, ''))
}

/** The request changed meanwhile: a pass over its new state comes soon. */
function isOutdated(error: unknown): boolean {
  return error instanceof CrossplaneError && failureOf(error)?.status === 409
}

function uidOf({metadata}: KubernetesObject): string {
  return asText(metadata.uid)
}
