import {CrossplaneError} from '../../errors.js'
import {joinedIndex} from '../../index/joined-index.js'
import {formatSummary} from '../../index/package-summary.js'
import {type ImageName, parseImageName} from '../../reference/image-name.js'
import type {Fact} from '../../resolve/facts.js'
import type {OwnerRule, SolverInput} from '../../resolve/solver-input.js'
import type {Rejection} from '../../resolve/resolution.js'
import type {Budget} from '../../resolve/solver/solver.js'
import type {PackagePorts} from '../locate/located-package.js'
import {EMPTY_GROUPS} from './assumed-facts.js'
import {type Catalog, summaryOfOpen} from './catalog.js'
import {collectSummaries} from './collect-summaries.js'
import {folderCatalog} from './folder-catalog.js'
import {type HeldLock, lockPreferences, notedBy, refuseOtherBytes} from './held-lock.js'
import {indexCatalog} from './index-catalog.js'
import {lockOf} from './lock-of.js'
import {identifier, type NameRepository, repositoryNames} from './repository-names.js'
import {type ResolvedPackages, solveAndRead} from './solve-and-read.js'
import {namedImages, rootsOf, type Requested, type RequestedRoots} from './wanted-roots.js'

/** What decides besides what is asked for. */
export interface ResolutionPolicy {
  readonly facts: readonly Fact[]
  /** The release whose kinds are among the facts, as `Assumptions` has it. */
  readonly crossplane: string
  /** `identity` as a person writes a repository. */
  readonly owners: readonly OwnerRule[]
  /** Registry of repositories that name none; docker.io if nobody says. */
  readonly defaultSource?: string
  readonly allowVersionMismatch: boolean
  readonly systemNamespace: string
  readonly dependencyNamespace?: string
  /** What was chosen before. */
  readonly lock?: HeldLock
  readonly budget: Budget
}

/** Looks up what is asked for, solves, and reads what was chosen, as often as something of it was not what it seemed. */
export async function resolvePackages(
  requested: readonly Requested[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<ResolvedPackages> {
  const {defaultSource, lock} = policy
  const named = [...requested.flatMap(namedImages), ...policy.owners.flatMap(ownerImage)]
  const nameOf = repositoryNames(named, defaultSource)
  const at = defaultSource === undefined ? ports : {...ports, defaultSource}
  const catalog = await catalogOf(at, nameOf)
  const start = await rootsOf(requested, {nameOf, catalog, ports: at, lock})
  const input = await solverInput(start, policy, nameOf, catalog)
  const result = await solveAndRead(input, policy, withGiven(catalog, start))
  return lock === undefined ? result : heldTo(lock, result, requested, policy)
}

async function catalogOf(ports: PackagePorts, nameOf: NameRepository): Promise<Catalog> {
  const indexes = (await ports.indexes?.()) ?? []
  const indexed = indexCatalog(joinedIndex(indexes), ports, nameOf)
  return ports.folder === undefined ? indexed : folderCatalog(ports, nameOf, indexed)
}

function heldTo(
  held: HeldLock,
  result: ResolvedPackages,
  requested: readonly Requested[],
  policy: ResolutionPolicy,
): ResolvedPackages {
  if (result.kind === 'rejected') return result
  const fresh = lockOf(result, requested, policy)
  return {...result, resolution: notedBy(held, fresh, result.resolution)}
}

function ownerImage({identity}: OwnerRule): ImageName[] {
  const name = parseImageName(identity)
  return name === undefined ? [] : [name]
}

/** A catalog in which some packages are at hand already. */
function withGiven(catalog: Catalog, {given}: RequestedRoots): Pick<Catalog, 'open'> {
  return {open: async summary => given.get(formatSummary(summary)) ?? (await catalog.open(summary))}
}

async function solverInput(
  {roots, given}: RequestedRoots,
  {facts, owners, dependencyNamespace, lock}: ResolutionPolicy,
  nameOf: NameRepository,
  catalog: Catalog,
): Promise<SolverInput> {
  const identify = identifier(nameOf)
  const atHand = [...given.values()].map(opened => summaryOfOpen(opened, opened.identity))
  // Of a package that was read already nothing more has to be known, unless something leads back to it.
  const requirements = roots
    .map(({requirement}) => requirement)
    .filter(requirement => requirement.form === 'crd' || requirement.tag === undefined)
  const collected = await collectSummaries(requirements, atHand, facts, identify, catalog.summaries)
  const yanks = await Promise.all([...given.values()].map(({identity}) => catalog.yankedOf(identity)))
  const preferences = lock === undefined ? [] : lockPreferences(lock, identify)
  if (lock !== undefined) refuseOtherBytes(lock, preferences, collected.summaries)
  return {
    summaries: collected.summaries,
    unreadable: collected.unreadable,
    roots,
    facts,
    owners: owners.map(({group, identity}) => ({group, identity: identify(identity)})),
    preferences,
    excluded: [...collected.yanked, ...yanks.flat()].map(each => ({...each, kind: 'yanked'})),
    emptyGroups: EMPTY_GROUPS,
    identify,
    ...(dependencyNamespace === undefined ? {} : {dependencyNamespace}),
  }
}

/** A refusal as an error. */
export function unresolved({code, message, diagnostics, suggestions}: Rejection): CrossplaneError {
  return new CrossplaneError(code, message, {diagnostics, suggestions})
}
