import type {Diagnostic} from '../../../diagnostic.js'
import {pausedRejection, type UnawaitedPackages} from '../../../health/core/request-findings.js'
import {packageReadiness} from '../../../health/readiness/package-readiness.js'
import type {DesiredPackages} from '../../../plan/cluster/core/desired-set.js'
import {type PausedRequest, pausedRequests} from '../../../plan/cluster/core/paused-requests.js'
import {deactivated} from '../../../plan/cluster/core/resolver-change.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {
  type CoreRequest,
  type CoreState,
  isPackageRequest,
  type RequestKind,
} from '../../../plan/cluster/state/core-state.js'
import type {XpkgResolver} from '../../../xpkg/pins.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import {keepsVersion} from './cluster-lock.js'
import type {ResolvedPackages} from './resolved-packages.js'

/**
 * Returns the packages that keep their versions, and that are paused after the change, or that no named one leads to and that are broken
 * before it: they could block it for ever. What an interrupted run deactivated becomes healthy again, and so does what the change resumes.
 */
export function unawaited(
  resolved: ResolvedPackages,
  desired: DesiredPackages,
  core: CoreState,
  resolver: XpkgResolver,
): UnawaitedPackages {
  const {packages, awaited} = resolved.closure
  const stopped = new Set(deactivated(core).map(({request}) => request))
  const selected = new Map(packages.map(one => [one.repository, one]))
  const isKept = (request: CoreRequest) => {
    const one = selected.get(request.repository)
    return one !== undefined && keepsVersion(request, one) && !stopped.has(request)
  }
  const paused = pausedAfter(resolved, desired, core).filter(one => {
    const live = liveOf(one, core)
    return live === undefined || isKept(live)
  })
  const isBroken = ({kind, name, repository, object}: CoreRequest) => {
    const readiness = packageReadiness(object)
    const isTold = paused.some(one => one.kind === kind && one.name === name)
    return readiness.state === 'broken' && !('isPaused' in readiness) && !isTold && !awaited.has(repository)
  }
  const broken = core.requests.filter(request => isKept(request) && isBroken(request))
  // Without its resolver, Crossplane does not look for what a package requires.
  const missing = resolver === 'on' ? paused.filter(one => liveOf(one, core)?.revision === undefined) : []
  return {paused, broken, blocked: blockedBy(missing, resolved, desired)}
}

/** Returns the packages that require, directly or not, a paused one that is not installed: Crossplane installs them once it is. */
function blockedBy(
  missing: readonly PausedRequest[],
  {closure: {packages}}: ResolvedPackages,
  {objects}: DesiredPackages,
): UnawaitedPackages['blocked'] {
  const causes = new Map(missing.map(one => [one.repository, one]))
  const left = new Set(packages.filter(({repository}) => !causes.has(repository)))
  // What requires a blocked package is blocked by the same one.
  for (let size = -1; size !== causes.size;) {
    size = causes.size
    for (const one of left) {
      const cause = one.dependencies.flatMap(({package: repository}) => causes.get(repository) ?? [])[0]
      if (cause === undefined) continue
      causes.set(one.repository, cause)
      left.delete(one)
    }
  }
  return objects
    .map(({object}) => object)
    .filter(isPackageRequest)
    .flatMap(({kind, metadata: {name}, spec}) => {
      const {repository} = coreReference(asText(asObject(spec).package))
      const by = causes.get(repository)
      const isOwn = by === undefined || by.repository === repository
      return isOwn ? [] : [{kind: kind as RequestKind, name, repository, by}]
    })
}

/** Returns those of them that exist. */
export function unawaitedLive(
  {broken, paused}: Pick<UnawaitedPackages, 'broken' | 'paused'>,
  core: CoreState,
): readonly CoreRequest[] {
  return [...broken, ...paused.flatMap(one => liveOf(one, core) ?? [])]
}

/** Returns the paused packages that would change their versions: Crossplane would not install these. */
export function pausedRejections(
  resolved: ResolvedPackages,
  desired: DesiredPackages,
  core: CoreState,
): readonly Diagnostic[] {
  const selected = new Map(resolved.closure.packages.map(one => [one.repository, one]))
  return pausedAfter(resolved, desired, core).flatMap(paused => {
    const [one, live] = [selected.get(paused.repository), liveOf(paused, core)]
    const isChanged = one !== undefined && live !== undefined && !keepsVersion(live, one)
    return isChanged ? [pausedRejection(paused, one.version)] : []
  })
}

function pausedAfter(
  {entries = new Set()}: ResolvedPackages,
  {objects}: DesiredPackages,
  {requests}: CoreState,
): readonly PausedRequest[] {
  return pausedRequests(
    objects.map(({object}) => object),
    requests,
    entries,
  )
}

function liveOf({kind, name}: Pick<CoreRequest, 'kind' | 'name'>, {requests}: CoreState) {
  return requests.find(request => request.kind === kind && request.name === name)
}
