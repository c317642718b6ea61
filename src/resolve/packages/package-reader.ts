import {CrossplaneError, withSuggestions} from '../../errors.js'
import {formatSummary, type PackageSummary} from '../../index/package-summary.js'
import {summaryDifferences} from '../../index/summary-of.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import type {Resolution} from '../resolution.js'
import type {ExcludedVersion} from '../solver-input.js'
import {listAll} from '../../text.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from '../catalog/catalog.js'

interface Opened {
  /** By identity. */
  readonly opened: ReadonlyMap<string, OpenPackage>
  readonly wrong: readonly {readonly summary: PackageSummary; readonly exclusion: ExcludedVersion}[]
}

/** Packages that are read at a time. */
const MAX_READS = 4

/** Reads selected packages, each once however often it is selected. */
export class PackageReader {
  readonly #catalog: Pick<Catalog, 'open'>
  readonly #read = new Map<PackageSummary, Promise<OpenPackage | ExcludedVersion>>()

  constructor(catalog: Pick<Catalog, 'open'>) {
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
    const wrong: {summary: PackageSummary; exclusion: ExcludedVersion}[] = []
    for (const summary of summaries) {
      const read = await this.open(summary)
      if ('kind' in read) wrong.push({summary, exclusion: read})
      else opened.set(summary.identity, read)
    }
    return {opened, wrong}
  }

  /** Returns the package of a summary, or the reason why the summary does not match it. */
  open(summary: PackageSummary): Promise<OpenPackage | ExcludedVersion> {
    const known = this.#read.get(summary)
    if (known !== undefined) return known
    const read = openOne(summary, this.#catalog)
    this.#read.set(summary, read)
    return read
  }
}

/** Failures that exclude a version; any other one, such as a network error, ends the command. */
const EXCLUSIONS = {
  'not-found': 'vanished',
  'access-denied': 'private',
  'package-invalid': 'lying',
  unsupported: 'lying',
  'source-invalid': 'lying',
  'source-unsafe': 'lying',
  'limit-exceeded': 'lying',
} as const

async function openOne(
  summary: PackageSummary,
  catalog: Pick<Catalog, 'open'>,
): Promise<OpenPackage | ExcludedVersion> {
  const {identity, tag, digest} = summary
  const version = {identity, tag, digest}
  try {
    const opened = await catalog.open(summary)
    const differences = summaryDifferences(summary, summaryOfOpen(opened, identity))
    if (differences.length === 0) return opened
    return {...version, kind: 'lying', reason: `its entry is wrong about ${listAll(differences)}`}
  } catch (error) {
    if (!(error instanceof CrossplaneError)) throw error
    if (isExclusion(error.code)) return {...version, kind: EXCLUSIONS[error.code], reason: error.message}
    const name = formatSummary(summary)
    if (error.message.includes(name)) throw error
    throw withSuggestions(error, [], `cannot read ${name}: ${error.message}`)
  }
}

function isExclusion(code: string): code is keyof typeof EXCLUSIONS {
  return Object.hasOwn(EXCLUSIONS, code)
}
