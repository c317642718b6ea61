import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {LockedInstance} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {absentInstances} from '../../health/drift.js'
import {absentHealth, judgeHealth} from '../../health/judge-health.js'
import type {Health, HealthState} from '../../health/health.js'
import type {Denial} from '../../health/health-snapshot.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {InstallId} from '../../reference/install-id.js'
import {notFound} from '../../reference/named.js'
import {present} from '../../present.js'
import {
  type FoundInstall,
  type FoundInstalls,
  type InstallSource,
  LABELS,
} from '../../observe/installs/find-installs.js'
import type {LeftBehind} from '../../plan/cluster/state/left-behind.js'
import {ignoredWarnings} from '../../plan/cluster/inventories/ignored-inventories.js'
import {crowdedWarnings} from '../../plan/cluster/inventories/crowded-namespaces.js'
import {
  denialWarning,
  ignoredIn,
  packageOf,
  type InstallSelection,
  selectInstalls,
  shownInstalls,
} from './list-installs.js'
import {observeLeft} from '../../observe/instances/left-crds.js'
import {observeHealth} from '../../observe/health/observe-health.js'
import {sharedReads, type SharedReads} from '../../observe/health/shared-reads.js'

/** The installs whose health is judged, and the lock to compare them with. */
export interface StatusQuery extends InstallSelection {
  /** One install of the namespace; undefined for all of the selection. */
  readonly name?: string
  readonly lock?: ComparedLock
}

/** What a cluster has of a lock, and the declaration that the lock belongs to. */
export interface ComparedLock {
  readonly declaration: string
  readonly instances: readonly LockedInstance[]
}

/** The health of one install. */
export interface InstallStatus extends InstallId, Health {
  readonly package: string
  readonly version: string
  /** Absent for an install that is only in a lock. */
  readonly source?: InstallSource
  /** CRDs that the install left behind; absent if there are none. */
  readonly left?: readonly LeftBehind[]
}

/** The health of installs, and the missing permissions that hide others. */
export interface InstallStatuses {
  readonly statuses: readonly InstallStatus[]
  /** Warnings, for standard error. */
  readonly warnings: readonly Diagnostic[]
  /**
   * Missing permissions without which it is unknown whether there are more installs, except those of which only labels
   * are left.
   */
  readonly denials: readonly Denial[]
}

/** Concurrent installs: each reads eight objects at a time. */
const CONCURRENCY = 2

/** Reads a cluster, and judges the health of installs. Throws `not-found` and the errors of the API. */
export async function readStatuses(query: StatusQuery, api: ClusterApi): Promise<InstallStatuses> {
  const {name, lock} = query
  const selected = await selectInstalls(api, query, name === undefined ? undefined : [name])
  const {installs, denials} = selected
  const all = shownInstalls(selected)
  const shown = name === undefined ? all.shown : installs.filter(install => install.name === name)
  const absent = lock === undefined ? [] : absentInstalls(lock, installs, query)
  if (name !== undefined && shown.length + absent.length === 0) throw unknownInstall(query, denials)
  // Objects have the times of the servers of the cluster, and local clocks can be wrong.
  const shared = sharedReads(api, {now: api.now(), ...(lock === undefined ? {} : {lock: lock.instances})})
  return {
    statuses: [...(await statusesOf(shown, shared)), ...absent],
    ...(name === undefined ? unlisted(selected, all.warnings) : {warnings: [], denials: []}),
  }
}

/** Judges the installs that a query selects; none if it can only name a package in no namespace. Throws as `readStatuses` does. */
export async function installStatus(
  {installs}: {readonly installs?: StatusQuery},
  api: ClusterApi,
): Promise<InstallStatuses> {
  return installs === undefined
    ? {statuses: [], warnings: [], denials: []}
    : await readStatuses(installs, api)
}

/**
 * Judges those of some installs that exist, each as `readStatuses` does, but reads what those of a namespace have in common
 * once. Throws the errors of the API.
 */
export async function readStatusesOf(
  ids: readonly InstallId[],
  api: ClusterApi,
  lock?: ComparedLock,
): Promise<readonly InstallStatus[]> {
  const statuses: InstallStatus[] = []
  for (const namespace of new Set(ids.map(id => id.namespace))) {
    const names = new Set(ids.flatMap(id => (id.namespace === namespace ? [id.name] : [])))
    const {installs} = await selectInstalls(api, {namespace, selector: []}, [...names])
    const selected = installs.filter(({name}) => names.has(name))
    const instances = lock?.instances
    statuses.push(
      ...(await statusesOf(selected, sharedReads(api, {now: api.now(), ...present({lock: instances})}))),
    )
  }
  return statuses
}

async function statusesOf(
  installs: readonly FoundInstall[],
  shared: SharedReads,
): Promise<readonly InstallStatus[]> {
  const statuses = new Map<InstallId, InstallStatus>()
  await mapConcurrent(installs, CONCURRENCY, async install => {
    statuses.set(install, await statusOf(install, shared))
  })
  return installs.flatMap(install => statuses.get(install) ?? [])
}

/** Lists that were denied do not matter for one install that was found. */
function unlisted(
  {denials, ...selected}: FoundInstalls,
  warnings: readonly Diagnostic[],
): Omit<InstallStatuses, 'statuses'> {
  return {
    warnings: [
      ...ignoredWarnings(ignoredIn(selected)),
      ...crowdedWarnings(selected.crowded),
      ...warnings,
      ...[...denials.values()].map(denialWarning),
    ],
    denials: [...denials].filter(([key]) => key !== LABELS).map(([, denial]) => denial),
  }
}

async function statusOf(install: FoundInstall, shared: SharedReads): Promise<InstallStatus> {
  const {namespace, name, source, inventory} = install
  const health = judgeHealth(await observeHealth(install, shared))
  const left = await observeLeft(inventory?.left ?? [], shared.api)
  return {
    ...{namespace, name, ...packageOf(install), source, ...health},
    ...(left.length === 0 ? {} : {left}),
  }
}

/** The installs of a lock that do not exist. Labels select what exists, and a lock has none. */
function absentInstalls(
  {instances, declaration}: ComparedLock,
  ids: readonly InstallId[],
  {namespace, name, selector}: StatusQuery,
): readonly InstallStatus[] {
  if (selector.length > 0) return []
  return absentInstances(instances, ids)
    .filter(
      one =>
        one.kind === undefined &&
        (namespace ?? one.namespace) === one.namespace &&
        (name ?? one.name) === one.name,
    )
    .map(one => ({
      namespace: one.namespace ?? '',
      name: one.name,
      package: `${one.identity}:${one.tag ?? ''}`,
      version: one.version,
      ...absentHealth(one, declaration),
    }))
}

/** Without permission to look everywhere, it is unknown whether the install exists. */
function unknownInstall(
  {namespace = '', name = ''}: StatusQuery,
  denials: ReadonlyMap<string, Denial>,
): CrossplaneError {
  const [denied] = denials.values()
  if (denied !== undefined) {
    return new CrossplaneError('cluster-denied', denied.message, {suggestions: denied.suggestions})
  }
  return notFound({kind: 'install', name: `${namespace}/${name}`})
}

/** The worst state of several installs; `healthy` for none. */
export function worstState(statuses: readonly Pick<Health, 'state'>[]): HealthState {
  const order: readonly HealthState[] = ['broken', 'unknown', 'starting', 'healthy']
  return order.find(state => statuses.some(statuse => statuse.state === state)) ?? 'healthy'
}

/** Reports whether an install or a package differs from the lock that it was compared with. */
export function hasLockDrift(statuses: readonly Partial<Pick<Health, 'drift'>>[]): boolean {
  return statuses.some(({drift = []}) => drift.some(({from}) => from === 'lock'))
}

/** The error for installs whose health could not be determined: it names the permissions that are missing. */
export function undetermined({statuses, denials: unlistedBy}: InstallStatuses): CrossplaneError {
  const denials = [...statuses.flatMap(status => status.denials), ...unlistedBy]
  const messages = [...new Set(denials.map(({message}) => message))]
  const [first = ''] = messages
  return new CrossplaneError(
    'cluster-denied',
    messages.length === 1 ? first : 'cannot determine the health',
    {
      diagnostics:
        messages.length === 1
          ? []
          : messages.map(message => ({severity: 'error', rule: 'permission-denied', message})),
      suggestions: [...new Set(denials.flatMap(({suggestions}) => suggestions))],
    },
  )
}
