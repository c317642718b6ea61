import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import type {PackagePorts} from '../../locate/located-package.js'
import {type Catalog, type PackageVersion, summaryOfOpen} from '../catalog/catalog.js'
import {identifier, type NameRepository} from '../repository-names.js'
import type {InstalledState} from '../requested/installed-package.js'
import {type InstalledInput, installedInput, MISSING_RULE} from '../requested/installed-packages.js'
import type {RequestedRoot, RequestedRoots} from '../requested/requested-roots.js'
import type {Rejection, Resolution} from '../resolution.js'
import type {SolverInput} from '../solver-input.js'
import {changedInstalls} from './changed-installs.js'
import {withGiven} from './given-catalog.js'
import {isExclusion} from '../exclusions.js'
import type {ResolutionPolicy} from './resolution-policy.js'
import {type ReadCatalog, type ResolvedPackages, solveAndRead, withNotes} from './solve-and-read.js'
import {solverInput} from './solver-input-of.js'
import {standsAgainst} from './stands-against.js'

/** The sources of a resolution. */
export interface AnswerSources {
  readonly nameOf: NameRepository
  readonly catalog: Catalog
  readonly ports: PackagePorts
}

/** Resolves a request together with the installs of a cluster, of which it changes only what it names. */
export async function resolveForCluster(
  requested: readonly RequestedRoot[],
  start: RequestedRoots,
  policy: ResolutionPolicy & {readonly installed: InstalledState},
  {nameOf, catalog, ports}: AnswerSources,
): Promise<ResolvedPackages> {
  const {installed} = policy
  const summaries = [...start.opened.values()].map(opened => summaryOfOpen(opened, opened.identity))
  const identify = identifier(nameOf)
  const sources = {
    readSummaries: summaries,
    available: catalog.summaries,
    read: (version: PackageVersion) => summaryIfReadable(version, catalog),
    facts: policy.facts,
    identify,
  }
  const more = await installedInput(installed, start.roots, sources, policy)
  const {kept, missing, apart} = more
  const context = {requested, kept, missing, apart, packages: installed.packages}
  const {input, notes} = await solverInput(
    {...start, roots: more.roots},
    {...policy, facts: [...policy.facts, ...more.facts]},
    nameOf,
    catalog,
  )
  const whole = {
    ...input,
    summaries: withRead(input.summaries, more.read),
    preferences: [...input.preferences, ...more.preferences],
    unavailable: missing,
  }
  const options = {...policy, select: (installs: Installs) => changedInstalls(installs, context)}
  const result = await solveAndRead(whole, options, withGiven(catalog, start))
  if (result.kind === 'rejected') {
    return await withStanding(result, {whole, more, requested, start}, policy, withGiven(catalog, start))
  }
  const isSearched = ports.folder !== undefined || ports.indexes !== undefined
  const isShown = ({rule}: Diagnostic) => isSearched || rule !== MISSING_RULE
  return withNotes(result, [...notes, ...more.notes.filter(isShown)])
}

/** The bytes of a version take the place of what entries of it say. */
function withRead(
  summaries: readonly PackageSummary[],
  read: readonly PackageSummary[],
): readonly PackageSummary[] {
  const keyOf = ({identity, tag, digest}: PackageSummary) => `${identity}:${tag}@${digest ?? ''}`
  const versions = new Set(read.map(keyOf))
  return [...summaries.filter(summary => !versions.has(keyOf(summary))), ...read]
}

type Installs = Resolution['installs']

interface RejectedRequest {
  readonly whole: SolverInput
  readonly more: InstalledInput
  readonly requested: readonly RequestedRoot[]
  readonly start: RequestedRoots
}

/**
 * Names the installs that conflict with a request: those that change if the request is resolved without their versions
 * and pins. If it cannot be resolved then either, that is the cause.
 */
async function withStanding(
  rejected: Rejection & {readonly input: SolverInput},
  {whole, more: {relaxed, kept}, requested, start}: RejectedRequest,
  policy: ResolutionPolicy,
  catalog: ReadCatalog,
): Promise<ResolvedPackages> {
  if (rejected.code !== 'unresolvable' || relaxed === undefined) return rejected
  const input = {...whole, roots: relaxed}
  let planned: Installs = []
  const select = (installs: Installs) => {
    planned = installs
    return []
  }
  const result = await solveAndRead(input, {...policy, select}, catalog)
  if (result.kind === 'rejected') return result
  const standing = standsAgainst(planned, kept, {roots: start.roots, requested})
  return standing === undefined ? rejected : {...standing, input}
}

/** Reads a version by its digest; undefined if that is not possible now. */
async function summaryIfReadable(
  version: PackageVersion,
  catalog: Catalog,
): Promise<PackageSummary | undefined> {
  try {
    return summaryOfOpen(await catalog.open(version), version.identity)
  } catch (error) {
    if (error instanceof CrossplaneError && isExclusion(error.code)) return undefined
    throw error
  }
}
