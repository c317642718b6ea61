import type {Lock} from '../../declaration/lock.js'
import {type ImageName, isDigest, parseImageName} from '../../reference/image-name.js'
import type {OwnerRule} from '../solver-input.js'
import type {PackagePorts} from '../../locate/located-package.js'
import type {Found} from '../../index/summaries.js'
import type {Catalog} from '../catalog/catalog.js'
import {requestedInstalls} from './changed-installs.js'
import {folderCatalog} from '../catalog/folder-catalog.js'
import {RemoteRepository} from '../../locate/remote-repository.js'
import {withTrust} from '../../locate/with-trust.js'
import type {Resolution} from '../resolution.js'
import {type HeldLock, isBinding, notedBy, notLocked} from '../lock/held-lock.js'
import {indexCatalog} from '../catalog/index-catalog.js'
import {lockOf, wholeRequestHash} from '../lock/lock-of.js'
import {LockedPackages} from '../lock/locked-packages.js'
import {type NameRepository, repositoryNames} from '../repository-names.js'
import {withGiven} from './given-catalog.js'
import {withDefaultSource} from './rejection.js'
import {present} from '../../present.js'
import type {RecordedStatement} from '../../signatures/recorded-statement.js'
import type {ResolutionPolicy} from './resolution-policy.js'
import {type AnswerSources, resolveForCluster} from './resolve-for-cluster.js'
import {type ResolvedPackages, solveAndRead, withNotes} from './solve-and-read.js'
import {expectFew, expectRequested, expectSource, refusedByPolicy, withinPolicy} from './source-policy.js'
import {solverInput} from './solver-input-of.js'
import {namedImages, rootsOf, type RequestedRoot, type RequestedRoots} from '../requested/requested-roots.js'

/**
 * Looks up the requested packages, solves, and reads the selected ones; versions that do not match their entries are
 * excluded, and it solves again. Under a binding lock only the locked packages are read: any other resolution is
 * `lock-outdated`.
 */
export async function resolvePackages(
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<ResolvedPackages> {
  const {teams} = policy
  const sources = withTrust(ports, policy.trust, policy.installed?.packages)
  const {nameOf, ports: at} = namesIn(requested, policy, sources)
  expectRequested(requested.flatMap(namedImages), teams, nameOf)
  const result = await resolved(requested, policy, sources, {nameOf, at})
  if (result.kind === 'rejected') return refusedByPolicy(result, teams)
  const {packages} = requestedPart(result, requested).resolution
  const identities = packages.map(({summary}) => summary.identity)
  expectFew(identities, teams)
  for (const identity of identities) expectSource(identity, teams)
  const signatures = await expectTrusted(packages, withTrust(ports, policy.trust))
  return {...result, identities, ...present({signatures})}
}

/** What an index or a folder lists can be selected without being read. */
async function expectTrusted(
  packages: Resolution['packages'],
  {remote}: PackagePorts,
): Promise<ReadonlyMap<string, readonly RecordedStatement[]> | undefined> {
  if (remote.trust === undefined) return undefined
  const signatures = new Map<string, readonly RecordedStatement[]>()
  for (const {summary} of packages) {
    const {identity, digest = ''} = summary
    const name = parseImageName(identity)
    const statements =
      name === undefined
        ? await remote.trust.expect(identity, undefined, noArtifacts)
        : await new RemoteRepository(name, remote).expectTrusted(isDigest(digest) ? digest : undefined)
    signatures.set(identity, statements ?? [])
  }
  return signatures
}

/** A folder can have a name that no repository can have, so that it has no signatures. */
async function noArtifacts(): Promise<never> {
  throw await Promise.resolve(new Error('an image without a digest has no signatures'))
}

async function resolved(
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
  {nameOf, at}: {readonly nameOf: NameRepository; readonly at: PackagePorts},
): Promise<ResolvedPackages> {
  const {lock} = policy
  const locked = new LockedPackages(at, nameOf)
  const context = {nameOf, ports: at, lock, locked, installed: policy.installed}
  if (lock !== undefined && isBinding(lock)) {
    const start = await rootsOf(requested, {...context, catalog: NO_CATALOG})
    const identities = new Set([...start.opened.values()].map(({identity}) => identity))
    const all = await locked.catalog(lock.lock.packages.filter(({identity}) => !identities.has(identity)))
    const catalog = withinPolicy(all, policy, nameOf)
    const result = await answer(requested, start, policy, {nameOf, catalog, ports})
    if (result.kind === 'rejected') throw notLocked(lock, result, locked.suggestions(lock.remedy))
    return heldTo(lock, result, requested, policy)
  }
  const catalog = withinPolicy(offered(await catalogOf(at, nameOf), at.offers), policy, nameOf)
  const start = await rootsOf(requested, {...context, catalog})
  const result = await answer(requested, start, policy, {nameOf, catalog, ports})
  if (result.kind === 'rejected') return await withDefaultSource(result, catalog)
  return lock === undefined ? result : heldTo(lock, result, requested, policy)
}

/** Leaves out the versions that are not offered. */
function offered(catalog: Catalog, offers: PackagePorts['offers']): Catalog {
  if (offers === undefined) return catalog
  const within = (answer: Found): Found => ({
    ...answer,
    summaries: answer.summaries.filter(({identity, tag}) => offers(identity, tag)),
  })
  return {
    ...catalog,
    summaries: {
      ofGroup: async group => within(await catalog.summaries.ofGroup(group)),
      ofPackage: async identity => within(await catalog.summaries.ofPackage(identity)),
    },
  }
}

/** Returns the full names of the repositories of a request, and the ports that use its default source. */
function namesIn(
  requested: readonly RequestedRoot[],
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

/** Solves for the request and, with a cluster, for its installs. */
async function answer(
  requested: readonly RequestedRoot[],
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
  return await resolveForCluster(requested, start, {...policy, installed}, {nameOf, catalog, ports})
}

const NO_CATALOG = {tagsOf: () => Promise.resolve([])}

async function catalogOf(ports: PackagePorts, nameOf: NameRepository): Promise<Catalog> {
  const indexed = indexCatalog((await ports.indexes?.()) ?? [], ports, nameOf)
  return ports.folder === undefined ? indexed : folderCatalog(ports, nameOf, indexed)
}

function heldTo(
  heldLock: HeldLock,
  result: Extract<ResolvedPackages, {readonly kind: 'resolved'}>,
  requested: readonly RequestedRoot[],
  policy: ResolutionPolicy,
): ResolvedPackages {
  const fresh =
    policy.installed === undefined
      ? lockOf(result, requested, policy)
      : {
          ...lockOf(requestedPart(result, requested), requested, policy),
          assumptions: heldLock.lock.assumptions,
        }
  const isOld = heldLock.lock.requestHash === wholeRequestHash(requested, policy, result.input)
  const compared = isOld ? asEarlier(fresh, heldLock.lock.requestHash) : fresh
  return {...result, resolution: notedBy(heldLock, compared, result.resolution)}
}

/** The part of a resolution for a cluster that the request alone has: this is what a lock records. */
function requestedPart(
  {input, resolution}: Extract<ResolvedPackages, {readonly kind: 'resolved'}>,
  requested: readonly RequestedRoot[],
): Parameters<typeof lockOf>[0] {
  const ids = requestedInstalls(resolution.installs, {requested})
  const installs = resolution.installs
    .filter(({namespace, name}) => ids.has(`${namespace}/${name}`))
    .map(install => ({
      ...install,
      requestedBy: install.requestedBy.filter(index => index < requested.length),
      for: install.for.filter(({by}) => ids.has(by)),
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
  const packages = lock.packages.map(lockedPackage => ({
    ...lockedPackage,
    installs: lockedPackage.installs.map(({requestedAs: _restriction, ...install}) => install),
  }))
  return {...lock, requestHash: hash, packages}
}

function ownerImage({identity}: Pick<OwnerRule, 'identity'>): ImageName[] {
  const name = parseImageName(identity)
  return name === undefined ? [] : [name]
}
