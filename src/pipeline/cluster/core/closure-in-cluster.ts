import type {Diagnostic} from '../../../diagnostic.js'
import {mapConcurrent} from '../../../map-concurrent.js'
import {formerContent} from '../../../package/xpkg/former-content.js'
import {type CoreRequest, type CoreState, REQUESTED, stateOf} from '../../../plan/cluster/state/core-state.js'
import {requestName} from '../../../reference/named.js'
import {requirementsOf} from '../../../plan/cluster/core/recorded-requires.js'
import {isForOthers} from '../../../plan/cluster/core/unused-requests.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import type {HeldLock} from '../../../resolve/lock/held-lock.js'
import {locatedXpkgs} from '../../../resolve/xpkg/located-xpkgs.js'
import type {ObjectHolder} from '../../../resolve/xpkg/shared-objects.js'
import type {XpkgRoot} from '../../../resolve/xpkg/xpkg-catalog.js'
import {isExcluded} from '../../../xpkg/constraints/constraint.js'
import {coreRules} from '../../../xpkg/constraints/constraint-rules.js'
import type {Budget} from '../../../resolve/solver/solver.js'
import type {PackagePorts} from '../../../locate/located-package.js'
import {expectAllowedPackages} from '../../../package/allowed-sources.js'
import type {SourcePolicy} from '../../../resolve/packages/resolution-policy.js'
import {type XpkgClosure, xpkgClosure} from '../../../package/xpkg/closure.js'
import {type RequestedXpkg} from '../../../package/xpkg/requested-xpkg.js'
import {clusterLock, installedVersion, keepsVersion, lockedRequest} from './cluster-lock.js'

/** Packages to resolve for a cluster. */
export interface ClusterClosureQuery {
  readonly roots: readonly RequestedXpkg[]
  /** Installed packages that may move to other versions, besides those of the roots. */
  readonly upgraded: HeldLock['upgraded']
  /** The lock of a declaration, which decides instead of what is installed. */
  readonly lock?: HeldLock | undefined
  readonly coreVersion?: string | undefined
  /** The roots whose content can change, even if they keep their tag; by default, all of them. */
  readonly named?: readonly RequestedXpkg[]
  /** The repositories that a change waits for also if they were broken before; by default, those of `named`. */
  readonly awaited?: readonly string[] | undefined
  /** The policies, for the packages that are named and what they lead to. */
  readonly teams?: readonly SourcePolicy[] | undefined
  readonly budget: Budget
}

/** Packages that fit together, and which of them a policy judges. */
export interface ClusterClosure extends XpkgClosure {
  /** The repositories of the packages that are named, and of what they lead to. */
  readonly judged: ReadonlySet<string>
  /** The repositories that a change waits for also if they were broken before, and what they lead to. */
  readonly awaited: ReadonlySet<string>
}

/** Each further resolution knows of packages that the one before led to. */
const MAX_ROUNDS = 5

/**
 * Resolves packages together with what is installed: other packages stay, and what they require still holds. Only packages that
 * the roots lead to are in the result. Throws as `xpkgClosure` does.
 */
export async function closureInCluster(
  query: ClusterClosureQuery,
  core: CoreState,
  ports: PackagePorts,
): Promise<ClusterClosure> {
  const {roots, named = roots, upgraded, teams, coreVersion, budget} = query
  const judgedOnes = named.map(({repository}) => repository)
  const {awaited = judgedOnes} = query
  const {lock = clusterLock(core, withRoots(upgraded, named))} = query
  const installed = new Set(core.requests.map(({repository}) => repository))
  const sources = {teams, isInstalled: (repository: string) => installed.has(repository)}
  const {holders, unread} = await waitingHolders(query, core, ports)
  const cluster = {
    holders: [...installedHolders(core), ...holders],
    locked: clusterLock(core, []).lock.xpkgs ?? [],
    functions: core.requests.filter(({kind}) => kind === 'Function'),
  }
  let further: readonly XpkgRoot[] = []
  for (let round = 1; ; round += 1) {
    const closure = await xpkgClosure(
      {roots: [...roots, ...further], budget, lock, sources, installed: cluster, ...present({coreVersion})},
      ports,
    )
    const missing = conditionsOf(closure, query, core).filter(condition => !includes(further, condition))
    if (missing.length === 0 || round === MAX_ROUNDS) {
      const whole = requestedPart(closure, roots)
      const judged = reachedFrom(closure, judgedOnes)
      expectAllowedPackages(
        whole.packages.filter(({repository}) => judged.has(repository)),
        teams,
      )
      return {...whole, notes: [...whole.notes, ...unread], judged, awaited: reachedFrom(closure, awaited)}
    }
    further = [...further, ...missing]
  }
}

/** What the active revisions of a cluster control. */
function installedHolders({requests, revisions}: CoreState): readonly ObjectHolder[] {
  return requests.flatMap(({kind, name, repository}) =>
    revisions
      .filter(one => one.kind === kind && one.request === name && one.isActive)
      .map(({objects}) => ({repository, kind, objects})),
  )
}

/** What requests define of which Crossplane has no active revision yet, such as right after an install that did not wait. */
async function waitingHolders(
  {roots}: ClusterClosureQuery,
  {requests, revisions}: CoreState,
  ports: PackagePorts,
): Promise<{readonly holders: readonly ObjectHolder[]; readonly unread: readonly Diagnostic[]}> {
  const catalog = locatedXpkgs(ports)
  const hasRevision = ({kind, name}: CoreRequest) =>
    revisions.some(one => one.kind === kind && one.request === name && one.isActive)
  const isRoot = ({repository}: CoreRequest) => roots.some(root => root.repository === repository)
  const waiting = requests.filter(one => !one.isTerminating && !hasRevision(one) && !isRoot(one))
  const contents = new Map<CoreRequest, Awaited<ReturnType<typeof formerContent>>>()
  await mapConcurrent(waiting, CONCURRENT_READS, async request => {
    contents.set(request, await formerContent(lockedRequest(request), catalog))
  })
  const holders: ObjectHolder[] = []
  const unread: Diagnostic[] = []
  for (const request of waiting) {
    const {repository, kind} = request
    const content = contents.get(request) ?? {reason: ''}
    if ('reason' in content) unread.push(unreadWarning(request, content.reason))
    else holders.push({repository, kind, objects: content.objects ?? [], because: REQUESTED})
  }
  return {holders, unread}
}

const CONCURRENT_READS = 8

function unreadWarning(request: CoreRequest, reason: string): Diagnostic {
  const message = `${requestName(request)} is not installed yet, and what it defines is not compared: its package cannot be read: ${reason}`
  return {severity: 'warning', rule: 'xpkg-request-unread', message, subject: {package: request.repository}}
}

function withRoots(upgraded: HeldLock['upgraded'], roots: readonly RequestedXpkg[]): HeldLock['upgraded'] {
  return upgraded === 'all' ? 'all' : [...upgraded, ...roots.map(({repository}) => repository)]
}

function includes(roots: readonly XpkgRoot[], {repository, version, constraint}: XpkgRoot): boolean {
  return roots.some(
    root => root.repository === repository && root.version === version && root.constraint === constraint,
  )
}

/** What the cluster requires of the selected packages and they do not satisfy. */
function conditionsOf(
  {packages}: XpkgClosure,
  {roots, coreVersion}: ClusterClosureQuery,
  core: CoreState,
): readonly XpkgRoot[] {
  const {requests} = core
  const selected = new Map(packages.map(one => [one.repository, one]))
  const named = new Set(roots.map(({repository}) => repository))
  const pinned = requests
    .filter(request => {
      const one = selected.get(request.repository)
      return one !== undefined && !named.has(request.repository) && !keepsVersion(request, one)
    })
    .filter(request => !isForOthers(request))
    .map(request => ({
      repository: request.repository,
      version: installedVersion(request),
      because: stateOf(request),
    }))
  const required = requirementsOf(core)
    .requirers.filter(({repository}) => !selected.has(repository))
    .flatMap(({dependencies}) => dependencies)
    .filter(({repository, constraint}) => {
      const version = selected.get(repository)?.version
      return version !== undefined && excludes(constraint, version, coreVersion)
    })
    .map(({repository, constraint}) =>
      isDigest(constraint)
        ? {repository, version: constraint, because: REQUIRED}
        : {repository, constraint, because: REQUIRED},
    )
  return [...pinned, ...required]
}

const REQUIRED = 'is required by an installed package'

/** A constraint that cannot be read has been unsatisfied before. */
function excludes(constraint: string, version: string, coreVersion: string | undefined): boolean {
  if (isDigest(constraint)) return constraint !== version
  return isExcluded(version, constraint, coreRules(coreVersion))
}

/** Leaves out what only installed packages lead to. */
function requestedPart(closure: XpkgClosure, requested: readonly RequestedXpkg[]): XpkgClosure {
  const names = requested.map(({repository}) => repository)
  const reached = reachedFrom(closure, names)
  return {
    ...closure,
    roots: closure.roots.slice(0, requested.length),
    packages: closure.packages.filter(({repository}) => reached.has(repository)),
  }
}

function reachedFrom({packages}: XpkgClosure, names: readonly string[]): ReadonlySet<string> {
  const byName = new Map(packages.map(one => [one.repository, one]))
  const reached = new Set(names)
  // The set grows while it is walked.
  for (const repository of reached)
    for (const dependency of byName.get(repository)?.dependencies ?? []) reached.add(dependency.package)
  return reached
}
