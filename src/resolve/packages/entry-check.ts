import {grouped} from '../../index/grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {summaryText} from '../../index/summary-of.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import type {ExcludedVersion, SolverInput} from '../solver-input.js'
import {parseCrdRequirement, meant, requirementOf} from '../requirement.js'
import type {Resolution} from '../resolution.js'
import {sketch} from '../sketch.js'
import type {Solved} from '../solve.js'
import type {Catalog} from '../catalog/catalog.js'
import type {PackageReader} from './package-reader.js'

/** Tags that are requested from a registry at a time. */
const MAX_CHECKS = 8

/** An entry that does not match its package. */
export interface WrongEntry {
  readonly summary: PackageSummary
  readonly exclusion: ExcludedVersion
}

/**
 * Compares the entries that decide a resolution with the tags of their registries: the selected versions, other
 * entries for the same tag, and, if there is no resolution, the version that makes a package a candidate owner. Each
 * is requested once. Entries with a locked or installed digest are exempt: a moved tag must not break a lock.
 */
export class EntryCheck {
  readonly #catalog: Pick<Catalog, 'contradictionOf'>
  readonly #reader: PackageReader
  readonly #checked = new Map<PackageSummary, Promise<ExcludedVersion | undefined>>()

  constructor(catalog: Pick<Catalog, 'contradictionOf'>, reader: PackageReader) {
    this.#catalog = catalog
    this.#reader = reader
  }

  /**
   * Returns the entries to exclude before a resolution counts; none if the registries confirm all that decides it.
   */
  async wrongIn(input: SolverInput, solved: Solved): Promise<readonly WrongEntry[]> {
    const open = openSummaries(input)
    const twins = twinsIn(open)
    const wrong = await this.#contradicted([...shownIn(input, solved), ...twins], input)
    if (wrong.length > 0) return wrong
    const misdescribed = await this.#misdescribed(twins)
    if (misdescribed.length > 0) return misdescribed
    return await this.#wrongCandidates(decidingCandidates(input, solved, open), input, new Set(twins))
  }

  async #contradicted(summaries: readonly PackageSummary[], input: SolverInput): Promise<WrongEntry[]> {
    const unlocked = [...new Set(summaries)].filter(each => !isLocked(each, input))
    const found = new Map<PackageSummary, ExcludedVersion>()
    await mapConcurrent(unlocked, MAX_CHECKS, async summary => {
      const exclusion = await this.#check(summary)
      if (exclusion !== undefined) found.set(summary, exclusion)
    })
    return [...found].map(([summary, exclusion]) => ({summary, exclusion}))
  }

  /** Entries that describe the same bytes differently: only the package shows which one is right. */
  async #misdescribed(twins: readonly PackageSummary[]): Promise<WrongEntry[]> {
    const doubtful = [...grouped(twins, each => `${formatSummary(each)}@${each.digest ?? ''}`).values()]
    const read = doubtful
      .filter(({length}) => length > 1)
      .flat()
      .map(async summary => ({summary, exclusion: await this.#reader.open(summary)}))
    return (await Promise.all(read)).flatMap(({summary, exclusion}) =>
      'kind' in exclusion ? [{summary, exclusion}] : [],
    )
  }

  /** Of each package, entries are checked from the newest until a valid one makes it a candidate owner. */
  async #wrongCandidates(
    candidates: readonly (readonly PackageSummary[])[],
    input: SolverInput,
    twins: ReadonlySet<PackageSummary>,
  ): Promise<WrongEntry[]> {
    const wrong = new Map<PackageSummary, ExcludedVersion>()
    await mapConcurrent(candidates, MAX_CHECKS, async versions => {
      for (const version of versions) {
        const exclusion = await this.#wrongCandidate(version, input, twins)
        if (exclusion === undefined) return
        wrong.set(version, exclusion)
      }
    })
    return [...wrong].map(([summary, exclusion]) => ({summary, exclusion}))
  }

  async #wrongCandidate(
    version: PackageSummary,
    input: SolverInput,
    twins: ReadonlySet<PackageSummary>,
  ): Promise<ExcludedVersion | undefined> {
    const exclusion = isLocked(version, input) ? undefined : await this.#check(version)
    if (exclusion !== undefined || !twins.has(version)) return exclusion
    const read = await this.#reader.open(version)
    return 'kind' in read ? read : undefined
  }

  #check(summary: PackageSummary): Promise<ExcludedVersion | undefined> {
    const known = this.#checked.get(summary)
    if (known !== undefined) return known
    const checked = this.#catalog.contradictionOf(summary)
    this.#checked.set(summary, checked)
    return checked
  }
}

/** Returns the versions in a resolution, or in the partial graph of the request if there is none. */
function shownIn(input: SolverInput, solved: Solved): PackageSummary[] {
  const {packages} = solved.kind === 'resolved' ? solved.resolution : sketch(input, solved)
  return packages.map(({summary}) => summary)
}

/** Entries for a tag that other entries describe differently: they hide the version that is published under it. */
function twinsIn(open: readonly PackageSummary[]): PackageSummary[] {
  return [...grouped(open, formatSummary).values()].flatMap(same =>
    same.length > 1 && new Set(same.map(summaryText)).size > 1 ? same : [],
  )
}

/**
 * The versions that make packages candidate owners where this may decide, by CRD and package, newest first. None for a
 * resolution with the newest versions. For another resolution, only packages that take precedence over others.
 */
function decidingCandidates(
  input: SolverInput,
  solved: Solved,
  open: readonly PackageSummary[],
): (readonly PackageSummary[])[] {
  if (solved.kind === 'rejected') return requiredNames(input, open).flatMap(name => candidatesFor(name, open))
  if (!isHeldBack(solved.resolution, open)) return []
  const first = new Set(precedingIdentities(input, open))
  return requiredNames(input, open)
    .flatMap(name => candidatesFor(name, open))
    .filter(([version]) => version !== undefined && first.has(version.identity))
}

function isHeldBack({packages}: Resolution, open: readonly PackageSummary[]): boolean {
  const tags = new Map(packages.map(({summary}) => [summary.identity, summary.tag]))
  return open.some(({identity, tag}) => {
    const selected = tags.get(identity)
    return selected !== undefined && isStable(tag) && compareVersions(tag, selected) < 0
  })
}

/** Packages that are owners before others: requested, named in `dependsOn`, trusted, or selected before. */
function precedingIdentities(
  {roots, owners, preferences, identify}: SolverInput,
  open: readonly PackageSummary[],
): string[] {
  const requirements = [
    ...roots.map(({requirement}) => requirement),
    ...open.flatMap(({dependsOn}) => dependsOn.map(each => requirementOf(each, identify))),
  ]
  return [
    ...requirements.flatMap(each => (each.form === 'package' ? [each.identity] : [])),
    ...[...owners, ...preferences].map(({identity}) => identity),
  ]
}

/** The names of CRDs that are requested or that a package requires. */
function requiredNames({roots, identify}: SolverInput, open: readonly PackageSummary[]): string[] {
  const requirements = [
    ...roots.map(({requirement}) => requirement),
    ...open.flatMap(({dependsOn}) => dependsOn.map(each => requirementOf(each, identify))),
  ]
  return [
    ...new Set(requirements.flatMap(each => (each.form === 'crd' ? `${each.resource}.${each.group}` : []))),
  ]
}

/** The versions that make packages candidate owners of a CRD, newest first; none if only one package is. */
function candidatesFor(name: string, open: readonly PackageSummary[]): (readonly PackageSummary[])[] {
  const requirement = parseCrdRequirement(name)
  const owning = open.filter(({tag, crds}) => isStable(tag) && meant(requirement, crds).length > 0)
  const candidates = [...grouped(owning, ({identity}) => identity).values()]
  if (candidates.length < 2) return []
  return candidates.map(versions => [...versions].sort((a, b) => compareVersions(a.tag, b.tag)))
}

function openSummaries({summaries, excluded}: SolverInput): PackageSummary[] {
  const byName = grouped(excluded, formatSummary)
  return summaries.filter(
    each =>
      !(byName.get(formatSummary(each)) ?? []).some(
        ({digest}) => digest === undefined || digest === each.digest,
      ),
  )
}

function isLocked({identity, tag, digest}: PackageSummary, {preferences}: SolverInput): boolean {
  return preferences.some(
    each =>
      each.isUpgraded !== true && each.identity === identity && each.tag === tag && each.digest === digest,
  )
}
