import {CrossplaneError, reasonOf, withSuggestions} from '../../errors.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {summaryDifferences} from '../../index/summary-of.js'
import {mapConcurrent} from '../../map-concurrent.js'
import type {Resolution} from '../resolution.js'
import type {ExcludedVersion} from '../solver-input.js'
import {listAll} from '../../text.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from '../catalog/catalog.js'
import {EXCLUSIONS, isExclusion} from '../exclusions.js'

interface Opened {
  /** By identity. */
  readonly opened: ReadonlyMap<string, OpenPackage>
  readonly wrong: readonly WrongEntry[]
}

/** The reason why a summary does not match its package, and the summary of its bytes if they can be read. */
export interface Contradiction {
  readonly exclusion: ExcludedVersion
  readonly actual?: PackageSummary
}

/** An entry that does not match its package. */
export interface WrongEntry extends Contradiction {
  readonly summary: PackageSummary
}

/** What packages are read from. */
export type ReadableCatalog = Pick<Catalog, 'open'> & Partial<Pick<Catalog, 'carrierOf'>>

/** Packages that are read at a time. */
const MAX_READS = 4

/** Reads selected packages, each once however often it is selected. */
export class PackageReader {
  readonly #catalog: ReadableCatalog
  readonly #read = new Map<PackageSummary, Promise<OpenPackage | Contradiction>>()
  /** By identity, tag and digest: several entries can describe the same bytes. */
  readonly #opened = new Map<string, Promise<OpenPackage>>()

  constructor(catalog: ReadableCatalog) {
    this.#catalog = catalog
  }

  /** Reads the packages that a resolution installs; others are selected, and stay unchanged. */
  async openAll({packages, installs}: Pick<Resolution, 'packages' | 'installs'>): Promise<Opened> {
    const installed = new Set(installs.map(({summary}) => summary.identity))
    const summaries = packages.map(({summary}) => summary).filter(({identity}) => installed.has(identity))
    await mapConcurrent(summaries, MAX_READS, async summary => {
      await this.open(summary)
    })
    const opened = new Map<string, OpenPackage>()
    const wrong: WrongEntry[] = []
    for (const summary of summaries) {
      const read = await this.open(summary)
      if ('exclusion' in read) wrong.push({summary, ...read})
      else opened.set(summary.identity, read)
    }
    return {opened, wrong}
  }

  /** Returns the package of a summary, or the reason why the summary does not match it. */
  open(summary: PackageSummary): Promise<OpenPackage | Contradiction> {
    const cached = this.#read.get(summary)
    if (cached !== undefined) return cached
    const read = openOne(summary, this.#catalog, () => this.#bytes(summary))
    this.#read.set(summary, read)
    return read
  }

  #bytes(summary: PackageSummary): Promise<OpenPackage> {
    if (summary.digest === undefined) return this.#catalog.open(summary)
    const key = `${formatSummary(summary)}@${summary.digest}`
    const opened = this.#opened.get(key) ?? this.#catalog.open(summary)
    this.#opened.set(key, opened)
    return opened
  }
}

async function openOne(
  summary: PackageSummary,
  catalog: Pick<ReadableCatalog, 'carrierOf'>,
  open: () => Promise<OpenPackage>,
): Promise<OpenPackage | Contradiction> {
  const {identity, tag, digest} = summary
  const version = {identity, tag, digest}
  try {
    const opened = await open()
    const actual = {...summaryOfOpen(opened, identity), tag, digest}
    const differences = summaryDifferences(summary, actual)
    if (differences.length === 0) return opened
    const carrier = catalog.carrierOf?.(summary)
    const where = carrier === undefined ? '' : ` in ${carrier}`
    const reason = `its entry${where} is wrong about ${listAll(differences)}`
    return {exclusion: {...version, kind: 'lying', reason}, actual}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (isExclusion(error.code)) {
      return {exclusion: {...version, kind: EXCLUSIONS[error.code], reason: reasonOf(error)}}
    }
    const name = formatSummary(summary)
    if (error.code === 'policy-refused' || error.message.includes(name)) throw error
    throw withSuggestions(error, [], `cannot read ${name}: ${error.message}`)
  }
}
