import {
  asObject,
  AUTO_LABEL,
  eraOf,
  firstBreak,
  type InstallSettings,
  type InstallStatus,
  type KubernetesObject,
  nameOf,
  type PlannedChange,
  type PlannedPackages,
  RUNTIME_ANNOTATION,
  type SetInstall,
} from 'kubectl-crossplane/plugin'
import {abandonedRequests, dependencyRequests, textOf} from './dependencies.js'
import type {PassPorts} from './pass-ports.js'
import {joined, type Problem, problemOf, rejectedBy, Stopped} from './problem.js'
import {isInstalled, lastState, type RequestState, type State, UNAVAILABLE} from './request-status.js'
import {whyNotFirst} from './same-name.js'
import {idOf, installFor, isRecord} from './written-records.js'
import {hostAccess, isTrusted, type Place, whyNotAllowed, whyNotServed} from './served-request.js'

const SYNCED: State = {status: 'True', reason: 'ReconcileSuccess', message: ''}

/** The notes of a resolution that someone should look into: an index has or had wrong entries, or a version was yanked. */
const WARNINGS: readonly string[] = ['yanked-version', 'lying-version', 'vanished-version', 'private-version']

/** A version that cannot be read is a warning if it is newer, otherwise a note. */
function isWarning({rule, severity}: PlannedChange['notes'][number]): boolean {
  return WARNINGS.includes(rule) || (rule === 'unreadable-package' && severity === 'warning')
}

/** The result of a pass, and whether the next one comes soon. */
export interface PassResult {
  readonly state: RequestState
  readonly isTransient?: boolean
  /** Whether something is to be looked at again, even if nothing changes in the cluster. */
  readonly isWaiting?: boolean
  /** Whether it waits for a pull secret. */
  readonly needsSecret?: boolean
  /** The installs, as NAMESPACE/NAME, whose changes can change the result. */
  readonly waitsFor?: readonly string[]
}

/** The packages of a change that was applied, and the notes of their resolution. */
export type InstalledPackages = PlannedPackages & Pick<PlannedChange, 'notes'>

/** Makes one pass over a request that stays: plans, applies, and judges what is there. */
export async function installPass(written: KubernetesObject, ports: PassPorts): Promise<PassResult> {
  const place = await placeOf(ports)
  const refusal = whyNotServed(written, place) ?? (await runtimeOfOthers(written, place, ports))
  if (refusal !== undefined) return await notInstalled(written, refusal, ports)
  const request = isTrusted(written, place) ? await withRuntime(written, ports) : written
  const later = whyNotFirst(request, await ports.requests())
  if (later !== undefined) return refused(later)
  try {
    const adopt = place.systemNamespace === request.metadata.namespace && (await isOfOriginal(request, ports))
    const change = await ports.installer.planInstall([request], installSettings(adopt, place))
    const refusalOf = (packages: PlannedPackages) =>
      whyNotAllowed(request, packages, place) ?? hostAccess(packages)
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

/** Reads what decides about the requests of a namespace. */
export async function placeOf({policy, systemNamespace}: PassPorts): Promise<Place> {
  return {policy: await policy(), systemNamespace}
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

/** A runtime can have Secrets in its environment: a request that cannot have one neither takes it over nor shows it. */
async function runtimeOfOthers(
  request: KubernetesObject,
  place: Place,
  ports: PassPorts,
): Promise<Problem | undefined> {
  if (isTrusted(request, place) || isInstalled(request)) return undefined
  const before = await installedFor(request, ports)
  if (before?.request?.runtime === undefined) return undefined
  const {namespace, name} = before
  const message = `the install ${namespace}/${name} exists, with a runtime that an administrator gave it`
  return {reason: 'PolicyRefused', message}
}

async function installedFor(request: KubernetesObject, {installer}: PassPorts) {
  return installFor(request, await installer.installed())
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
  const before = await installedFor(request, ports)
  await ports.apply(change)
  const own = ownInstall(change, request)
  if (own === undefined) return
  const text = own.package === undefined ? '' : packageText(own)
  await ports.writes.event(request, 'Normal', changeReason(before, own), text)
  const risks = joined(change.risks.map(({message}) => message))
  if (risks !== '') await ports.writes.event(request, 'Warning', 'PackageWarning', risks)
}

function changeReason(before: Pick<SetInstall, 'package'> | undefined, {package: after}: SetInstall): string {
  if (before === undefined) return 'Installed'
  const isSame = before.package?.digest === after?.digest && before.package?.tag === after?.tag
  return isSame ? 'DriftCorrected' : 'Upgraded'
}

/** Judges what is there after a change, for a request whose install and dependencies are those of the change. */
export async function judged(
  request: KubernetesObject,
  change: InstalledPackages,
  ports: PassPorts,
): Promise<PassResult> {
  const own = ownInstall(change, request)
  const others = change.installs.filter(each => each !== own)
  if (own === undefined) {
    const names = others.map(each => `${packageText(each)} as ${textOf(each)}`).join(', ')
    const message = `provided by ${names === '' ? 'the cluster' : names}`
    return {state: {ready: {status: 'True', reason: 'Available', message}, synced: syncedWith(change)}}
  }
  const waiting = lastState(request, 'Ready').status === 'True' ? undefined : await waitingFor(others, ports)
  const ready = waiting?.state ?? readyOf(await ports.installer.health(own))
  return {
    state: {
      ...{ready, synced: syncedWith(change), installed: own},
      ...(await resultOf(request, change, others, ports)),
    },
    isWaiting: ready.status !== 'True',
    waitsFor: waiting?.waitsFor ?? [],
  }
}

/** The packages of others are no matter of a request. */
function syncedWith({installs, notes}: InstalledPackages): State {
  const own = new Set(installs.flatMap(({package: selected}) => selected?.identity ?? []))
  const warnings = notes.filter(one => isWarning(one) && own.has(one.subject?.package ?? ''))
  return {...SYNCED, message: joined(warnings.map(({message}) => message).sort())}
}

/** The dependencies that do not work yet. */
async function waitingFor(
  dependencies: readonly SetInstall[],
  ports: PassPorts,
): Promise<{readonly state: State; readonly waitsFor: readonly string[]} | undefined> {
  const broken: {readonly id: string; readonly text: string}[] = []
  for (const dependency of dependencies) {
    const {status, message} = readyOf(await ports.installer.health(dependency))
    const id = textOf(dependency)
    if (status !== 'True') broken.push({id, text: `${packageText(dependency)} as ${id}: ${message}`})
  }
  if (broken.length === 0) return undefined
  const texts = broken.map(({text}) => text).sort()
  const message = `${broken.length} of ${dependencies.length} dependencies are not ready: ${texts.join('; ')}`
  const state = {status: 'False', reason: 'WaitingForDependency', message} as const
  return {state, waitsFor: broken.map(({id}) => id)}
}

/** Ready is what `package status` says of an install. */
function readyOf(health: InstallStatus | undefined): State {
  if (health === undefined) return {status: 'False', reason: 'Creating', message: 'nothing is installed yet'}
  if (health.state === 'healthy') return {status: 'True', reason: 'Available', message: ''}
  const broken = firstBreak(health)
  if (broken !== undefined) {
    return {
      status: 'False',
      reason: UNAVAILABLE,
      message: `${broken.id}: ${broken.message}; ${broken.suggestion}`,
    }
  }
  const [progress] = health.findings
  const [denial] = health.denials
  return {
    status: 'False',
    reason: UNAVAILABLE,
    message: progress?.message ?? denial?.message ?? health.state,
  }
}

/** A request that cannot be fulfilled: what was installed for it before stays as it is. */
async function notInstalled(
  request: KubernetesObject,
  problem: Problem,
  ports: PassPorts,
): Promise<PassResult> {
  const {reason, message, isTransient = false, needsSecret = false, waitsFor = []} = problem
  const root = idOf(request)
  const before = await installedBefore(request, ports)
  if (before !== undefined) {
    const kept = isTransient ? reason : REFUSALS.includes(reason) ? 'UpgradeRefused' : 'UpgradeFailed'
    const ready = readyOf(await ports.installer.health(root))
    return {
      state: {ready, synced: {status: 'False', reason: kept, message}, installed: before},
      isTransient,
      isWaiting: true,
      needsSecret,
      waitsFor,
    }
  }
  if (reason === 'WaitingForDependency') {
    return {state: {ready: {status: 'False', reason, message}, synced: SYNCED}, isWaiting: true, waitsFor}
  }
  const state = {status: 'False', reason, message} as const
  return {
    state: {ready: {...state, reason: isTransient ? 'Creating' : reason}, synced: state},
    isTransient,
    isWaiting: true,
    needsSecret,
  }
}

/** What exists under the name of a request that was never fulfilled is not for its user to read. */
async function installedBefore(request: KubernetesObject, ports: PassPorts) {
  const isOwn = isTrusted(request, await placeOf(ports)) || isInstalled(request)
  return isOwn ? await installedFor(request, ports) : undefined
}

/** What is installed under the name of a request belongs to another one. */
function refused({reason, message}: Problem): PassResult {
  const state = {status: 'False', reason, message} as const
  return {state: {ready: state, synced: state}, isWaiting: true}
}

const REFUSALS: readonly string[] = [
  'Conflict',
  'PolicyRefused',
  'PermissionRefused',
  'AmbiguousOwner',
  'WaitingForDependency',
]

async function recordOf(
  {apiVersion, metadata: {name, namespace = ''}}: KubernetesObject,
  {installer}: PassPorts,
): Promise<KubernetesObject | undefined> {
  return await installer.read({apiVersion, kind: eraOf(apiVersion)?.kinds.record ?? '', namespace, name})
}

/** What became of a request, or of a record. */
async function resultOf(
  request: KubernetesObject,
  change: InstalledPackages,
  dependencies: readonly SetInstall[],
  ports: PassPorts,
): Promise<Pick<RequestState, 'result' | 'dependencies'>> {
  const result = await (isRecord(request) ? controllerOf(change, ports) : recordOf(request, ports))
  return {...(isRecord(request) ? {} : {dependencies}), ...(result === undefined ? {} : {result})}
}

async function controllerOf(
  {objects}: InstalledPackages,
  {installer}: PassPorts,
): Promise<KubernetesObject | undefined> {
  const deployment = objects.find(({object}) => object.kind === 'Deployment')
  return deployment && (await installer.read(nameOf(deployment.object)))
}

/** Returns the install of a request in a change. */
export function ownInstall(
  {installs}: Pick<InstalledPackages, 'installs'>,
  request: KubernetesObject,
): SetInstall | undefined {
  return installs.find(each => textOf(each) === textOf(idOf(request)))
}

/** An install's package as IDENTITY:TAG. */
export function packageText({package: selected}: SetInstall): string {
  return selected === undefined ? 'a record' : `${selected.identity}:${selected.tag}`
}

/** Judges the install of a dependency, which is installed with the requests that need it. */
export async function dependencyPass(request: KubernetesObject, ports: PassPorts): Promise<PassResult> {
  const install = await installedFor(request, ports)
  // A user can give the label to any request: an install that was requested by itself is none of a dependency.
  const own = install?.mode === 'auto' ? install : undefined
  const health = own === undefined ? undefined : await ports.installer.health(idOf(request))
  const ready = isUnprocessed(health) ? NOT_MADE : readyOf(health)
  const result = own === undefined ? undefined : await recordOf(request, ports)
  return {
    state: {
      ready,
      synced: SYNCED,
      ...(own === undefined ? {} : {installed: own}),
      ...(result === undefined ? {} : {result}),
    },
    isWaiting: ready.status !== 'True',
  }
}

/** To the commands, which this manager uses, a request without an install looks as if no package manager was running. */
function isUnprocessed(health: InstallStatus | undefined): boolean {
  return health === undefined || firstBreak(health)?.id === 'request-unprocessed'
}

const NOT_MADE: State = {
  status: 'False',
  reason: 'Creating',
  message: `nothing is installed yet: the label ${AUTO_LABEL} says that another request installs it; remove the label to install it by itself`,
}
