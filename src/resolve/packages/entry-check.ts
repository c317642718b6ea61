import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {mapConcurrent} from '../../map-concurrent.js'
import {parsePackageImage} from '../../reference/package-reference.js'
import type {Catalog, OpenPackage} from '../catalog/catalog.js'
import type {Solved} from '../solve.js'
import type {ExcludedVersion, SolverInput} from '../solver-input.js'
import {
  contestedIn,
  decidingCandidates,
  decidingTwins,
  isLocked,
  openSummaries,
  shownIn,
} from './deciding-entries.js'
import type {Contradiction, PackageReader, WrongEntry} from './package-reader.js'
import {restsOn} from './rests-on.js'

/** Tags that are requested from a registry at a time. */
const MAX_CHECKS = 8

/** Packages that are read at a time to compare entries with them. */
const MAX_READS = 4
/** Entries that are compared before another attempt to resolve. */
const MAX_COMPARED = 64
/** Registries that do not answer before no others are contacted about versions that are not selected. */
const MAX_SILENT = 4

/**
 * Compares the entries that decide a resolution with the tags of their registries: the selected versions, other
 * entries for the same tag, and, if there is no resolution, the version that makes a package a candidate owner. Each
 * is requested once. Entries with a locked or installed digest are exempt: a moved tag must not break a lock. If there
 * is no resolution, the entries that the rejection rests on are compared with the bytes of their packages, too.
 *
 * Only the registries of selected versions have to answer. An entry of another one stays as it is if its
 * registry does not: anyone who can write to an index can name a registry there.
 */
export class EntryCheck {
  readonly #catalog: Pick<Catalog, 'contradictionOf'>
  readonly #reader: PackageReader
  readonly #checked = new Map<PackageSummary, Promise<ExcludedVersion | undefined>>()
  /** Why registries did not answer, by host. */
  readonly #silent = new Map<string, string>()

  constructor(catalog: Pick<Catalog, 'contradictionOf'>, reader: PackageReader) {
    this.#catalog = catalog
    this.#reader = reader
  }

  /**
   * Returns the entries to exclude before a resolution counts; none if the registries confirm all that decides it.
   */
  async wrongIn(input: SolverInput, solved: Solved): Promise<readonly WrongEntry[]> {
    const open = openSummaries(input)
    const shown = shownIn(input, solved)
    const twins = decidingTwins(input, solved, open)
    const selected = new Set(solved.kind === 'resolved' ? shown : [])
    const wrong = await this.#contradicted([...shown, ...twins], input, selected)
    if (wrong.length > 0) return wrong
    const misdescribed = await this.#misdescribed(contestedIn(twins))
    if (misdescribed.length > 0) return misdescribed
    const candidates = decidingCandidates(input, solved, open)
    const wrongCandidates = await this.#wrongCandidates(candidates, input, new Set(twins))
    if (wrongCandidates.length > 0 || solved.kind === 'resolved') return wrongCandidates
    const lying = await this.#misdescribed(restsOn(solved, shown, candidates, open))
    return lying.filter(({exclusion}) => exclusion.kind === 'lying')
  }

  /** Notes on the registries that did not answer, for a rejection. */
  notes(): readonly Diagnostic[] {
    return [...this.#silent.values()].map(message => ({severity: 'note', rule: 'unchecked-version', message}))
  }

  async #contradicted(
    summaries: readonly PackageSummary[],
    input: SolverInput,
    selected: ReadonlySet<PackageSummary>,
  ): Promise<WrongEntry[]> {
    const unlocked = [...new Set(summaries)].filter(summary => !isLocked(summary, input))
    return await firstWrong(unlocked, MAX_CHECKS, async summary => {
      const check = () => this.#check(summary)
      const exclusion = selected.has(summary) ? await check() : await this.#ifAnswered(summary, check)
      return exclusion && {exclusion}
    })
  }

  /** Returns entries that their packages contradict: only the packages show which entries are right. */
  async #misdescribed(entries: readonly PackageSummary[]): Promise<WrongEntry[]> {
    return await firstWrong(entries, MAX_READS, async summary => {
      const read = await this.#opened(summary)
      return read !== undefined && 'exclusion' in read ? read : undefined
    })
  }

  async #opened(summary: PackageSummary): Promise<OpenPackage | Contradiction | undefined> {
    return await this.#ifAnswered(summary, () => this.#reader.open(summary))
  }

  /** Asks a registry about a version; undefined if it does not answer now, which contradicts nothing. */
  async #ifAnswered<T>({identity}: PackageSummary, ask: () => Promise<T>): Promise<T | undefined> {
    const host = parsePackageImage(identity).registry ?? ''
    if (this.#silent.has(host) || this.#silent.size >= MAX_SILENT) return undefined
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof CrossplaneError) || !UNREADABLE.includes(error.code)) throw error
      this.#silent.set(host, error.message)
      return undefined
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
        const isEnough = wrong.size >= MAX_COMPARED
        const contradiction = isEnough ? undefined : await this.#wrongCandidate(version, input, twins)
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
    const check = () => this.#check(version)
    const exclusion = isLocked(version, input) ? undefined : await this.#ifAnswered(version, check)
    if (exclusion !== undefined) return {exclusion}
    if (!twins.has(version)) return undefined
    const read = await this.#opened(version)
    return read !== undefined && 'exclusion' in read ? read : undefined
  }

  #check(summary: PackageSummary): Promise<ExcludedVersion | undefined> {
    const cached = this.#checked.get(summary)
    if (cached !== undefined) return cached
    const checked = this.#catalog.contradictionOf(summary)
    this.#checked.set(summary, checked)
    return checked
  }
}

/** Errors of a registry, or of a version of it, that leave an entry as it is. */
const UNREADABLE: readonly string[] = [
  'offline',
  'registry-unreachable',
  'registry-failed',
  'tls-refused',
  'credentials-failed',
  'timeout',
]

/** Checks entries, some at a time, until one of a few is wrong. */
async function firstWrong(
  entries: readonly PackageSummary[],
  most: number,
  check: (summary: PackageSummary) => Promise<Contradiction | undefined>,
): Promise<WrongEntry[]> {
  for (let start = 0; start < entries.length; start += MAX_COMPARED) {
    const wrong = new Map<PackageSummary, Contradiction>()
    await mapConcurrent(entries.slice(start, start + MAX_COMPARED), most, async summary => {
      const contradiction = await check(summary)
      if (contradiction !== undefined) wrong.set(summary, contradiction)
    })
    if (wrong.size > 0) return [...wrong].map(([summary, read]) => ({summary, ...read}))
  }
  return []
}
