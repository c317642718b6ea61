import {CrossplaneError} from '../../errors.js'
import {grouped} from '../../index/grouped.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {contentText} from '../../index/summary-of.js'
import {compareVersions, isStable} from '../../reference/newest-version.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {ExcludedVersion, SolverInput} from '../solver-input.js'
import {parseCrdRequirement, matchingCrds, requirementOf} from '../requirement.js'
import type {Resolution} from '../resolution.js'
import {sketch} from '../sketch.js'
import type {Solved} from '../solve.js'
import type {Catalog, OpenPackage} from '../catalog/catalog.js'
import type {Contradiction, PackageReader, WrongEntry} from './package-reader.js'
import {restsOn} from './rests-on.js'

/** Tags that are requested from a registry at a time. */
const MAX_CHECKS = 8

/** Packages that are read at a time to compare entries with them. */
const MAX_READS = 4
/** Entries that are compared before another attempt to resolve. */
const MAX_COMPARED = 64

/**
 * Compares the entries that decide a resolution with the tags of their registries: the selected versions, other
 * entries for the same tag, and, if there is no resolution, the version that makes a package a candidate owner. Each
 * is requested once. Entries with a locked or installed digest are exempt: a moved tag must not break a lock. If there
 * is no resolution, the entries that the rejection rests on are compared with the bytes of their packages, too.
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
    const misdescribed = await this.#misdescribed(contestedIn(twins), summary => this.#reader.open(summary))
    if (misdescribed.length > 0) return misdescribed
    const candidates = decidingCandidates(input, solved, open)
    const wrongCandidates = await this.#wrongCandidates(candidates, input, new Set(twins))
    if (wrongCandidates.length > 0 || solved.kind === 'resolved') return wrongCandidates
    const resting = restsOn(solved, shownIn(input, solved), candidates, open)
    const lying = await this.#misdescribed(resting, summary => this.#ifReadable(summary))
    return lying.filter(({exclusion}) => exclusion.kind === 'lying')
  }

  async #contradicted(summaries: readonly PackageSummary[], input: SolverInput): Promise<WrongEntry[]> {
    const unlocked = [...new Set(summaries)].filter(summary => !isLocked(summary, input))
    const excluded = new Map<PackageSummary, ExcludedVersion>()
    await mapConcurrent(unlocked, MAX_CHECKS, async summary => {
      const exclusion = await this.#check(summary)
      if (exclusion !== undefined) excluded.set(summary, exclusion)
    })
    return [...excluded].map(([summary, exclusion]) => ({summary, exclusion}))
  }

  /** Returns entries that their packages contradict: only the packages show which entries are right. */
  async #misdescribed(
    entries: readonly PackageSummary[],
    open: (summary: PackageSummary) => Promise<OpenPackage | Contradiction | undefined>,
  ): Promise<WrongEntry[]> {
    for (let start = 0; start < entries.length; start += MAX_COMPARED) {
      const wrong = new Map<PackageSummary, Contradiction>()
      await mapConcurrent(entries.slice(start, start + MAX_COMPARED), MAX_READS, async summary => {
        const read = await open(summary)
        if (read !== undefined && 'exclusion' in read) wrong.set(summary, read)
      })
      if (wrong.size > 0) return [...wrong].map(([summary, read]) => ({summary, ...read}))
    }
    return []
  }

  /** A package that cannot be read now contradicts nothing. */
  async #ifReadable(summary: PackageSummary): Promise<OpenPackage | Contradiction | undefined> {
    try {
      return await this.#reader.open(summary)
    } catch (error) {
      if (error instanceof CrossplaneError && UNREADABLE.includes(error.code)) return undefined
      throw error
    }
  }

  /** Of each package, entries are checked from the newest until a valid one makes it a candidate owner. */
  async #wrongCandidates(
    candidates: readonly (readonly PackageSummary[])[],
    input: SolverInput,
    twins: ReadonlySet<PackageSummary>,
  ): Promise<WrongEntry[]> {
    const wrong = new Map<PackageSummary, Contradiction>()
    await mapConcurrent(candidates, MAX_CHECKS, async versions => {
      for (const version of versions) {
        const contradiction = await this.#wrongCandidate(version, input, twins)
        if (contradiction === undefined) return
        wrong.set(version, contradiction)
      }
    })
    return [...wrong].map(([summary, contradiction]) => ({summary, ...contradiction}))
  }

  async #wrongCandidate(
    version: PackageSummary,
    input: SolverInput,
    twins: ReadonlySet<PackageSummary>,
  ): Promise<Contradiction | undefined> {
    const exclusion = isLocked(version, input) ? undefined : await this.#check(version)
    if (exclusion !== undefined) return {exclusion}
    if (!twins.has(version)) return undefined
    const read = await this.#reader.open(version)
    return 'exclusion' in read ? read : undefined
  }

  #check(summary: PackageSummary): Promise<ExcludedVersion | undefined> {
    const cached = this.#checked.get(summary)
    if (cached !== undefined) return cached
    const checked = this.#catalog.contradictionOf(summary)
    this.#checked.set(summary, checked)
    return checked
  }
}

/** Errors of reading a package that leave a rejection as it is. */
const UNREADABLE: readonly string[] = [
  'offline',
  'registry-unreachable',
  'registry-failed',
  'timeout',
  'not-found',
]

/** Returns the versions in a resolution, or in the partial graph of the request if there is none. */
function shownIn(input: SolverInput, solved: Solved): PackageSummary[] {
  const {packages} = solved.kind === 'resolved' ? solved.resolution : sketch(input, solved)
  return packages.map(({summary}) => summary)
}

/** Entries for a tag that other entries describe differently: they hide the version that is published under it. */
function twinsIn(open: readonly PackageSummary[]): PackageSummary[] {
  return [...grouped(open, formatSummary).values()].flatMap(same =>
    same.length > 1 && new Set(same.map(contentText)).size > 1 ? same : [],
  )
}

/** The entries of twins that describe the same bytes differently. */
function contestedIn(twins: readonly PackageSummary[]): PackageSummary[] {
  const byBytes = grouped(twins, summary => `${formatSummary(summary)}@${summary.digest ?? ''}`)
  return [...byBytes.values()].filter(({length}) => length > 1).flat()
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
    ...open.flatMap(({dependsOn}) => dependsOn.map(dependency => requirementOf(dependency, identify))),
  ]
  return [
    ...requirements.flatMap(requirement => (requirement.form === 'package' ? [requirement.identity] : [])),
    ...[...owners, ...preferences].map(({identity}) => identity),
  ]
}

/** The names of CRDs that are requested or that a package requires. */
function requiredNames({roots, identify}: SolverInput, open: readonly PackageSummary[]): string[] {
  const requirements = [
    ...roots.map(({requirement}) => requirement),
    ...open.flatMap(({dependsOn}) => dependsOn.map(dependency => requirementOf(dependency, identify))),
  ]
  return [
    ...new Set(
      requirements.flatMap(requirement =>
        requirement.form === 'crd' ? `${requirement.resource}.${requirement.group}` : [],
      ),
    ),
  ]
}

/** The versions that make packages candidate owners of a CRD, newest first; none if only one package is. */
function candidatesFor(name: string, open: readonly PackageSummary[]): (readonly PackageSummary[])[] {
  const requirement = parseCrdRequirement(name)
  const owning = open.filter(({tag, crds}) => isStable(tag) && matchingCrds(requirement, crds).length > 0)
  const candidates = [...grouped(owning, ({identity}) => identity).values()]
  if (candidates.length < 2) return []
  return candidates.map(versions => [...versions].sort((a, b) => compareVersions(a.tag, b.tag)))
}

function openSummaries({summaries, excluded}: SolverInput): PackageSummary[] {
  const byName = grouped(excluded, formatSummary)
  return summaries.filter(
    summary =>
      !(byName.get(formatSummary(summary)) ?? []).some(
        ({digest}) => digest === undefined || digest === summary.digest,
      ),
  )
}

function isLocked({identity, tag, digest}: PackageSummary, {preferences}: SolverInput): boolean {
  return preferences.some(
    preference =>
      preference.isUpgraded !== true &&
      preference.identity === identity &&
      preference.tag === tag &&
      preference.digest === digest,
  )
}
