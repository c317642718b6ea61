import type {Lock, LockedPackage} from '../../declaration/lock.js'
import type {Diagnostic} from '../../diagnostic.js'
import {formatSummary} from '../../index/package-summary.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import type {Fact} from '../facts.js'
import type {Places} from '../placement.js'
import type {Resolution} from '../resolution.js'
import type {CrossplaneReleases, OwnerRule, Root, SolverInput} from '../solver-input.js'
import type {Budget} from '../solver/solver.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {type Catalog, summaryOfOpen} from '../catalog/catalog.js'
import {changedInstalls, requestedInstalls} from './changed-installs.js'
import {collectSummaries} from '../catalog/collect-summaries.js'
import {folderCatalog} from '../catalog/folder-catalog.js'
import {
  type HeldLock,
  isBinding,
  lockPreferences,
  notedBy,
  notLocked,
  rejectOtherBytes,
} from '../lock/held-lock.js'
import {indexCatalog} from '../catalog/index-catalog.js'
import {installedInput, type InstalledState} from '../requested/installed-packages.js'
import {lockOf, wholeRequestHash} from '../lock/lock-of.js'
import {lockedEntries} from '../lock/locked-entries.js'
import {LockedPackages} from '../lock/locked-packages.js'
import {identifier, type NameRepository, repositoryNames} from '../repository-names.js'
import {withDefaultSource} from './rejection.js'
import {type ReadCatalog, type ResolvedPackages, solveAndRead} from './solve-and-read.js'
import {namedImages, rootsOf, type Requested, type RequestedRoots} from '../requested/requested-roots.js'

/** The settings that decide, apart from the request. */
export interface ResolutionPolicy extends Places {
  readonly facts: readonly Fact[]
  /** The release whose CRDs are among the facts, and what all releases provided. */
  readonly crossplane: CrossplaneReleases
  /** `identity` as the user wrote the repository. */
  readonly owners: readonly OwnerRule[]
  /** Registry of repositories without one (default: docker.io). */
  readonly defaultSource?: string
  readonly allowVersionMismatch: boolean
  /** The content of the cluster that packages are resolved for. */
  readonly installed?: InstalledState
  /** The lock to keep to. */
  readonly lock?: HeldLock
  readonly budget: Budget
}

/**
 * Looks up the requested packages, solves, and reads the selected ones; versions that do not match their entries are
 * excluded, and it solves again. Under a binding lock only the locked packages are read: any other resolution is
 * `lock-outdated`.
 */
export async function resolvePackages(
  requested: readonly Requested[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<ResolvedPackages> {
  const {lock} = policy
  const {nameOf, ports: at} = namesIn(requested, policy, ports)
  const locked = new LockedPackages(at, nameOf)
  const context = {nameOf, ports: at, lock, locked, installed: policy.installed}
  if (lock !== undefined && isBinding(lock)) {
    const start = await rootsOf(requested, {...context, catalog: NO_CATALOG})
    const given = new Set([...start.given.values()].map(({identity}) => identity))
    const catalog = await locked.catalog(lock.lock.packages.filter(({identity}) => !given.has(identity)))
    const result = await answer(requested, start, policy, {nameOf, catalog, ports})
    if (result.kind === 'rejected') throw notLocked(lock, result, locked.suggestions(lock.remedy))
    return heldTo(lock, result, requested, policy)
  }
  const catalog = await catalogOf(at, nameOf)
  const start = await rootsOf(requested, {...context, catalog})
  const result = await answer(requested, start, policy, {nameOf, catalog, ports})
  if (result.kind === 'rejected') return await withDefaultSource(result, catalog)
  return lock === undefined ? result : heldTo(lock, result, requested, policy)
}

/** Returns the full names of the repositories of a request, and the ports that use its default source. */
function namesIn(
  requested: readonly Requested[],
  {defaultSource, owners, installed}: ResolutionPolicy,
  ports: PackagePorts,
): {readonly nameOf: NameRepository; readonly ports: PackagePorts} {
  const named = [
    ...requested.flatMap(namedImages),
    ...owners.flatMap(ownerImage),
    ...(installed?.packages ?? []).flatMap(ownerImage),
  ]
  return {
    nameOf: repositoryNames(named, defaultSource),
    ports: defaultSource === undefined ? ports : {...ports, defaultSource},
  }
}

/** Returns the packages of a lock that cannot be read: those without a digest that the folder does not have. */
export async function unavailablePackages(
  {lock}: HeldLock,
  requested: readonly Requested[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<readonly LockedPackage[]> {
  const names = namesIn(requested, policy, ports)
  const packages = new LockedPackages(names.ports, names.nameOf)
  const undigested = lock.packages.filter(({digest}) => digest === undefined)
  const opened = await Promise.all(undigested.map(each => packages.open(each)))
  return undigested.filter((_, index) => opened[index] === undefined)
}

interface AnswerSources {
  readonly nameOf: NameRepository
  readonly catalog: Catalog
  readonly ports: PackagePorts
}

/** Solves for the request and, with a cluster, for its installs. */
async function answer(
  requested: readonly Requested[],
  start: RequestedRoots,
  policy: ResolutionPolicy,
  {nameOf, catalog, ports}: AnswerSources,
): Promise<ResolvedPackages> {
  const {installed} = policy
  if (installed === undefined) {
    const {input, notes} = await solverInput(start, policy, nameOf, catalog)
    const result = await solveAndRead(input, policy, withGiven(catalog, start))
    return result.kind === 'rejected' ? result : withNotes(result, notes)
  }
  const given = [...start.given.values()].map(opened => summaryOfOpen(opened, opened.identity))
  const more = await installedInput(installed, start.roots, given, catalog.summaries, policy)
  const context = {requested, kept: more.kept, missing: more.missing, packages: installed.packages}
  const {input, notes} = await solverInput(
    {...start, roots: more.roots},
    {...policy, facts: [...policy.facts, ...more.facts]},
    nameOf,
    catalog,
  )
  const result = await solveAndRead(
    {...input, preferences: [...input.preferences, ...more.preferences], crossplane: undefined},
    {...policy, select: installs => changedInstalls(installs, context)},
    withGiven(catalog, start),
  )
  const isSearched = ports.folder !== undefined || ports.indexes !== undefined
  if (result.kind === 'rejected') return result
  return withNotes(result, isSearched ? [...notes, ...more.notes] : notes)
}

function withNotes<Result extends {readonly resolution: Resolution}>(
  result: Result,
  notes: readonly Diagnostic[],
): Result {
  const {resolution} = result
  return {...result, resolution: {...resolution, notes: [...resolution.notes, ...notes]}}
}

const NO_CATALOG = {tagsOf: () => Promise.resolve([])}

async function catalogOf(ports: PackagePorts, nameOf: NameRepository): Promise<Catalog> {
  const indexed = indexCatalog((await ports.indexes?.()) ?? [], ports, nameOf)
  return ports.folder === undefined ? indexed : folderCatalog(ports, nameOf, indexed)
}

function heldTo(
  held: HeldLock,
  result: Extract<ResolvedPackages, {readonly kind: 'resolved'}>,
  requested: readonly Requested[],
  policy: ResolutionPolicy,
): ResolvedPackages {
  const fresh =
    policy.installed === undefined
      ? lockOf(result, requested, policy)
      : {...lockOf(requestedPart(result, requested), requested, policy), assumptions: held.lock.assumptions}
  const isOld = held.lock.requestHash === wholeRequestHash(requested, policy, result.input)
  const compared = isOld ? asEarlier(fresh, held.lock.requestHash) : fresh
  return {...result, resolution: notedBy(held, compared, result.resolution)}
}

/** The part of a resolution for a cluster that the request alone has: this is what a lock records. */
function requestedPart(
  {input, resolution}: Extract<ResolvedPackages, {readonly kind: 'resolved'}>,
  requested: readonly Requested[],
): Parameters<typeof lockOf>[0] {
  const found = requestedInstalls(resolution.installs, {requested})
  const installs = resolution.installs
    .filter(({namespace, name}) => found.has(`${namespace}/${name}`))
    .map(install => ({
      ...install,
      requestedBy: install.requestedBy.filter(index => index < requested.length),
      for: install.for.filter(({by}) => found.has(by)),
    }))
  const identities = new Set(installs.map(({summary}) => summary.identity))
  const packages = resolution.packages.filter(({summary}) => identities.has(summary.identity))
  return {
    input,
    resolution: {...resolution, installs, packages, roots: resolution.roots.slice(0, requested.length)},
  }
}

/** A lock as earlier versions of this program wrote it. */
function asEarlier(lock: Lock, hash: string): Lock {
  const packages = lock.packages.map(each => ({
    ...each,
    installs: each.installs.map(({requestedAs: _restriction, ...install}) => install),
  }))
  return {...lock, requestHash: hash, packages}
}

function ownerImage({identity}: Pick<OwnerRule, 'identity'>): ImageName[] {
  const name = parseImageName(identity)
  return name === undefined ? [] : [name]
}

/** A catalog in which some packages were read already; locked digests are not compared with the registry. */
function withGiven(catalog: Catalog, {given}: RequestedRoots): ReadCatalog {
  return {
    carrierOf: summary => catalog.carrierOf(summary),
    contradictionOf: summary =>
      given.has(formatSummary(summary)) ? Promise.resolve(undefined) : catalog.contradictionOf(summary),
    open: async summary => given.get(formatSummary(summary)) ?? (await catalog.open(summary)),
  }
}

async function solverInput(
  {roots, given}: RequestedRoots,
  {facts, crossplane, owners, dependencyNamespace, lock}: ResolutionPolicy,
  nameOf: NameRepository,
  catalog: Catalog,
): Promise<{readonly input: SolverInput; readonly notes: readonly Diagnostic[]}> {
  const identify = identifier(nameOf)
  const available = [...given.values()].map(opened => summaryOfOpen(opened, opened.identity))
  // A package that was read already needs no lookup, unless another package requires it, or all versions are
  // compared.
  const isRead = (each: Root['requirement']) =>
    each.form === 'package' && each.tag !== undefined && given.has(`${each.identity}:${each.tag}`)
  const requirements = roots
    .map(({requirement}) => requirement)
    .filter(each => lock?.upgraded === 'all' || !isRead(each))
  const collected = await collectSummaries(requirements, available, facts, identify, catalog.summaries)
  const yanks = await Promise.all([...given.values()].map(({identity}) => catalog.yankedOf(identity)))
  const preferences = lock === undefined ? [] : lockPreferences(lock, identify)
  const {summaries, notes} =
    lock === undefined
      ? {summaries: collected.summaries, notes: []}
      : await lockedEntries(lock, preferences, collected.summaries, catalog)
  if (lock !== undefined) rejectOtherBytes(lock, preferences, summaries)
  const input: SolverInput = {
    summaries,
    unreadable: collected.unreadable,
    roots,
    facts,
    owners: owners.map(({group, identity}) => ({group, identity: identify(identity)})),
    preferences,
    excluded: [...collected.yanked, ...yanks.flat()].map(each => ({...each, kind: 'yanked'})),
    emptyGroups: facts.flatMap(({origin, group}) => (origin === 'never-existed' ? [group] : [])),
    crossplane,
    identify,
    dependencyNamespace,
  }
  return {input, notes}
}
