import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {type Lock, lockedName, type LockedXpkg} from '../../declaration/lock.js'
import {firstBreak} from '../../health/health.js'
import {packageHealth, type PackageHealth} from '../../health/core/package-health.js'
import {packageReadiness, type PackageReadiness} from '../../health/readiness/package-readiness.js'
import {readCore} from '../../observe/core/read-core.js'
import type {CoreRequest, CoreRevision, CoreState} from '../../plan/cluster/state/core-state.js'
import {present} from '../../present.js'
import {escaped, listNames} from '../../text.js'
import {revisionName} from '../../xpkg/package-name.js'
import {asObject, asObjects, asText} from '../../yaml/json-value.js'
import {readStatuses} from '../cluster/install-status.js'

/** A package of a cluster, with untrusted texts. */
export interface LivePackage {
  readonly package: string
  readonly version: string
  /** Whether its content is that of the lock; absent if one of them has no digest. */
  readonly isLockedContent?: boolean
  readonly state: 'healthy' | 'starting' | 'broken' | 'unknown'
  readonly reason?: string
  /** Since when it is healthy with its revision, in milliseconds since the epoch; absent if that is not known. */
  readonly since?: number
}

/** Reads which packages of a lock run in a cluster; changes nothing. Throws the errors of the API. */
export async function clusterState(lock: Lock, api: ClusterApi): Promise<readonly LivePackage[]> {
  const {packages, xpkgs = []} = lock
  const core = xpkgs.length === 0 ? undefined : await readCore(api)
  const live = core === undefined ? [] : livePackages(core, xpkgs)
  if (packages.length === 0) return live
  const {statuses} = await readStatuses({namespace: undefined, selector: []}, api)
  const installs = new Map(
    packages.flatMap(({identity, installs: own}) =>
      own.map(({namespace, name}) => [`${namespace}/${name}`, identity] as const),
    ),
  )
  return [
    ...live,
    ...statuses.flatMap(status => {
      const identity = installs.get(`${status.namespace}/${status.name}`)
      if (identity === undefined) return []
      const reason = firstBreak(status)?.message ?? status.findings[0]?.message
      return [{package: identity, version: status.version, state: status.state, ...present({reason})}]
    }),
  ]
}

function livePackages(core: CoreState, xpkgs: readonly LockedXpkg[]): readonly LivePackage[] {
  return packageHealth(core).flatMap(health => {
    const {kind, name, repository} = health.request
    const own = xpkgs.find(
      one => one.kind === kind && (lockedName(one) === name || one.repository === repository),
    )
    return own === undefined ? [] : [livePackage(health, own, core.revisions)]
  })
}

function livePackage(
  health: PackageHealth,
  {repository, digest, tag: lockedTag}: LockedXpkg,
  revisions: readonly CoreRevision[],
): LivePackage {
  const {request} = health
  const {tag, digest: own} = request
  const readiness = runningReadiness(health, revisions)
  const isLockedContent = digest === undefined ? undefined : hasContent(request, digest)
  const byDigest = isLockedContent === true ? lockedTag : undefined
  const isHealthy = readiness.state === 'healthy'
  return {
    package: repository,
    version: tag ?? byDigest ?? own ?? '',
    state: readiness.state,
    ...present({
      isLockedContent,
      reason: readiness.state === 'healthy' ? undefined : readiness.reason,
      since: isHealthy ? healthySince(request, revisions) : undefined,
    }),
  }
}

/** Judges a package with its revision, what it waits for and other requests for it: a request alone can stay healthy beside them. */
function runningReadiness(
  {request, waits, duplicates}: PackageHealth,
  revisions: readonly CoreRevision[],
): PackageReadiness {
  const {kind, name, revision} = request
  const current = revisions.find(one => one.kind === kind && one.request === name && one.name === revision)
  const readiness = packageReadiness(request.object, current?.object)
  if (readiness.state !== 'healthy') return readiness
  const others = duplicates.map(one => one.name)
  if (others.length > 0) return {state: 'broken', reason: `${listNames(others)} requests the same package`}
  const missing = waits.map(one => `${one.repository} ${one.constraint}`)
  if (missing.length > 0) return {state: 'starting', reason: `it waits for ${listNames(missing)}`}
  const open = current === undefined ? undefined : openCondition(current)
  return open === undefined ? readiness : {state: 'starting', reason: open}
}

/** Says which condition of a revision is not true, also if it is not known. */
function openCondition({name, object}: CoreRevision): string | undefined {
  const open = asObjects(asObject(object.status).conditions).find(({status}) => status !== 'True')
  if (open === undefined) return undefined
  return `the condition ${escaped(asText(open.type))} of its revision ${escaped(name)} is not true`
}

/** A tag alone does not tell the bytes: the name of the revision has the start of their digest. */
function hasContent({digest: own, name, revision}: CoreRequest, digest: string): boolean | undefined {
  if (own !== undefined) return own === digest
  return revision === undefined ? undefined : revision === revisionName(name, digest)
}

/**
 * Returns since when a package is healthy with the revision that it has: the latest change of a condition of both, and the creation of
 * the revision, and its last activation. The times are the cluster's own. Undefined unless all of them are there, and all conditions of the
 * revision are true.
 */
export function healthySince(
  {kind, name, revision, object}: CoreRequest,
  revisions: readonly CoreRevision[],
): number | undefined {
  const active = revisions.filter(one => one.kind === kind && one.request === name && one.isActive)
  const [only] = active
  if (only === undefined || active.length > 1 || only.name !== revision) return undefined
  const activated = activationTimes(only)
  if (activated.length === 0 || openCondition(only) !== undefined) return undefined
  const {creationTimestamp} = only.object.metadata
  const conditions = [object, only.object].map(one => asObjects(asObject(one.status).conditions))
  if (conditions.some(list => list.length === 0)) return undefined
  const times = [
    Date.parse(asText(creationTimestamp)),
    ...conditions.flat().map(({lastTransitionTime}) => Date.parse(asText(lastTransitionTime))),
    ...activated,
  ]
  return times.every(Number.isFinite) ? Math.max(...times) : undefined
}

/**
 * A revision that was active before was created long ago: the API server records when its spec was last written. Without that record, no
 * one knows.
 */
function activationTimes({object}: CoreRevision): readonly number[] {
  return asObjects(asObject(object.metadata).managedFields).flatMap(({fieldsV1, time, subresource}) =>
    asText(subresource) === '' && 'f:spec' in asObject(fieldsV1) ? [Date.parse(asText(time))] : [],
  )
}
