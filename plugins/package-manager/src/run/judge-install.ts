import {
  AUTO_LABEL,
  eraOf,
  firstBreak,
  type InstallId,
  type InstallStatus,
  type KubernetesObject,
  nameOf,
  type PlannedChange,
  type SetInstall,
} from 'kubectl-crossplane/plugin'
import {textOf} from './dependencies.js'
import type {PassPorts} from './pass-ports.js'
import {joined, type Problem} from './problem.js'
import {isInstalled, lastState, type RequestState, type State, UNAVAILABLE} from './request-status.js'
import {isTrusted, placeOf} from './served-request.js'
import {idOf, installFor, isRecord} from './written-records.js'

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

/** What judging an install reads. */
export interface JudgingPorts {
  readonly installer: Pick<PassPorts['installer'], 'health' | 'read'>
}

/** The packages of a change that was applied, and the notes of their resolution. */
export type InstalledPackages = Pick<PlannedChange, 'installs' | 'objects' | 'notes'>

/**
 * Judges what is there after a change, for one of its requests. The change can have installs that are none of its matter: those
 * of other requests, and those that another pass has not written to the end.
 */
export async function judged(
  request: KubernetesObject,
  planned: InstalledPackages,
  ports: JudgingPorts,
): Promise<PassResult> {
  const own = ownInstall(planned, request)
  const change = own === undefined ? planned : {...planned, installs: withRequired(own, planned.installs)}
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

/** Returns an install and those that it depends on, in their order. */
export function withRequired(id: InstallId, installs: readonly SetInstall[]): readonly SetInstall[] {
  const found = new Set([textOf(id)])
  // A set also visits what is added meanwhile.
  for (const dependent of found) {
    for (const each of installs) if (dependent in each.for) found.add(textOf(each))
  }
  return installs.filter(each => found.has(textOf(each)))
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
  ports: JudgingPorts,
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

/** Judges a request that cannot be fulfilled: what was installed for it before stays as it is. */
export async function notInstalled(
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

/** Judges a request whose name another one has. */
export function refused({reason, message}: Problem): PassResult {
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
  {installer}: JudgingPorts,
): Promise<KubernetesObject | undefined> {
  return await installer.read({apiVersion, kind: eraOf(apiVersion)?.kinds.record ?? '', namespace, name})
}

/** What became of a request, or of a record. */
async function resultOf(
  request: KubernetesObject,
  change: InstalledPackages,
  dependencies: readonly SetInstall[],
  ports: JudgingPorts,
): Promise<Pick<RequestState, 'result' | 'dependencies'>> {
  const result = await (isRecord(request) ? controllerOf(change, ports) : recordOf(request, ports))
  return {...(isRecord(request) ? {} : {dependencies}), ...(result === undefined ? {} : {result})}
}

async function controllerOf(
  {objects}: InstalledPackages,
  {installer}: JudgingPorts,
): Promise<KubernetesObject | undefined> {
  const deployment = objects.find(({object}) => object.kind === 'Deployment')
  return deployment && (await installer.read(nameOf(deployment.object)))
}

/** Returns what is installed for a request. */
export async function installedFor(request: KubernetesObject, {installer}: PassPorts) {
  return installFor(request, await installer.installed())
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
