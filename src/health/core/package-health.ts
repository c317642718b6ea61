import {compareText} from '../../reference/compare-text.js'
import type {CoreRequest, CoreRevision, CoreState, LockEntry} from '../../plan/cluster/state/core-state.js'
import {type Requirements, requirementsOf} from '../../plan/cluster/core/recorded-requires.js'
import {isForOthers} from '../../plan/cluster/core/unused-requests.js'
import {packageReadiness, type PackageReadiness} from '../readiness/package-readiness.js'

/** A request, with what its conditions and the Lock say. */
export interface PackageHealth {
  readonly request: CoreRequest
  readonly readiness: PackageReadiness
  /** What it requires and the Lock does not have, or has and is not healthy. */
  readonly waits: readonly Wait[]
  /** Other requests for its repository: the core stops all packages until one is left. */
  readonly duplicates: readonly CoreRequest[]
  /** The repositories of the packages that require it, as the Lock or their requests say. */
  readonly requiredBy: readonly string[]
  /** Whether it was installed for other packages, and none requires it any more. */
  readonly isUnused: boolean
}

/** A requirement of a package that is not satisfied yet. */
interface Wait {
  readonly repository: string
  readonly constraint: string
  /** The request for it, which is not healthy; absent if there is none in the Lock. */
  readonly request?: CoreRequest
}

/** Judges all requests of a core, in their order. */
export function packageHealth(core: CoreState): readonly PackageHealth[] {
  const healthy = new Set(core.requests.filter(isHealthy))
  const requirements = requirementsOf(core)
  return core.requests.map(request => ({
    request,
    readiness: packageReadiness(request.object, undefined, currentRevision(request, core)?.object),
    waits: waitsOf(request, core, healthy),
    duplicates: core.requests.filter(
      other => other !== request && other.repository === request.repository && other.isResolved,
    ),
    requiredBy: dependentsOf(request.repository, requirements),
    isUnused: isUnused(request, requirements),
  }))
}

/** Returns the revision that the core made last of a request. */
export function currentRevision(
  {kind, name, revision}: CoreRequest,
  {revisions}: Pick<CoreState, 'revisions'>,
): CoreRevision | undefined {
  return revisions.find(one => one.kind === kind && one.request === name && one.name === revision)
}

/** Returns the repositories of the packages that require one. */
function dependentsOf(repository: string, {requirers}: Requirements): readonly string[] {
  const dependents = requirers.filter(
    entry => entry.repository !== repository && entry.dependencies.some(one => one.repository === repository),
  )
  return [...new Set(dependents.map(entry => entry.repository))].sort(compareText)
}

function isHealthy({object}: CoreRequest): boolean {
  return packageReadiness(object).state === 'healthy'
}

function waitsOf(request: CoreRequest, core: CoreState, healthy: ReadonlySet<CoreRequest>): readonly Wait[] {
  const {entries} = core.lock
  const dependencies = entries.find(entry => isOf(entry, request))?.dependencies ?? []
  return dependencies.flatMap(({repository, constraint}): readonly Wait[] => {
    const other = core.requests.find(one => one.repository === repository)
    const isLocked = entries.some(entry => entry.repository === repository)
    if (other === undefined || !isLocked) return [{repository, constraint}]
    return healthy.has(other) ? [] : [{repository, constraint, request: other}]
  })
}

/** The Lock has one entry for each repository, which names its revision. */
function isOf(entry: LockEntry, {repository, revision}: CoreRequest): boolean {
  return entry.name === revision || entry.repository === repository
}

/** Of a package that the core does not resolve, nothing may say what it requires: that could be any other one. */
function isUnused(request: CoreRequest, requirements: Requirements): boolean {
  const {isResolved, repository} = request
  const isKnown = isResolved || requirements.unknown.every(other => other === request)
  return isKnown && isForOthers(request) && dependentsOf(repository, requirements).length === 0
}
