import {CrossplaneError} from '../../errors.js'
import type {PackageSummary} from '../../index/package-summary.js'
import {summaryLies} from '../../index/summary-of.js'
import {mapConcurrent} from '../../registry/map-concurrent.js'
import type {ExcludedVersion, SolverInput} from '../../resolve/solver-input.js'
import type {Rejection, Resolution} from '../../resolve/resolution.js'
import {solve, type SolveOptions} from '../../resolve/solve.js'
import {type Catalog, type OpenPackage, summaryOfOpen} from './catalog.js'

/** An answer with the packages that it names, or none with what was asked. */
export type ResolvedPackages =
  | {
      readonly kind: 'resolved'
      readonly input: SolverInput
      readonly resolution: Resolution
      readonly opened: ReadonlyMap<string, OpenPackage>
    }
  | (Rejection & {readonly input: SolverInput})

/** What was chosen is read, and what it says of itself held against what was said of it; what lied is left out. */
export async function solveAndRead(
  asked: SolverInput,
  options: SolveOptions,
  catalog: Pick<Catalog, 'open'>,
): Promise<ResolvedPackages> {
  let input = asked
  for (;;) {
    const result = solve(input, options)
    if (result.kind === 'rejected') return {...result, input}
    const {resolution} = result
    const {opened, excluded} = await openAll(resolution, catalog)
    if (excluded.length === 0) return {kind: 'resolved', input, resolution, opened}
    input = {...input, excluded: [...input.excluded, ...excluded]}
  }
}

interface Opened {
  readonly opened: ReadonlyMap<string, OpenPackage>
  readonly excluded: readonly ExcludedVersion[]
}

/** Packages that are read at a time. */
const MAX_READS = 4

async function openAll({packages}: Resolution, catalog: Pick<Catalog, 'open'>): Promise<Opened> {
  const found = new Map<PackageSummary, OpenPackage | ExcludedVersion>()
  await mapConcurrent(packages, MAX_READS, async ({summary}) => {
    found.set(summary, await openOne(summary, catalog))
  })
  const opened = new Map<string, OpenPackage>()
  const excluded: ExcludedVersion[] = []
  for (const {summary} of packages) {
    const read = found.get(summary)
    if (read === undefined) continue
    if ('kind' in read) excluded.push(read)
    else opened.set(summary.identity, read)
  }
  return {opened, excluded}
}

/** Failures that make a version none to choose from; another one, such as a broken network, ends everything. */
const EXCLUSIONS = {
  'not-found': 'vanished',
  'access-denied': 'private',
  'package-invalid': 'lying',
} as const

async function openOne(
  summary: PackageSummary,
  catalog: Pick<Catalog, 'open'>,
): Promise<OpenPackage | ExcludedVersion> {
  const {identity, tag, digest} = summary
  const version = {identity, tag, ...(digest === undefined ? {} : {digest})}
  try {
    const opened = await catalog.open(summary)
    const lies = summaryLies(summary, summaryOfOpen(opened, identity))
    if (lies.length === 0) return opened
    return {...version, kind: 'lying', reason: `the package itself says otherwise of ${lies.join(', ')}`}
  } catch (error) {
    if (!(error instanceof CrossplaneError) || !isExclusion(error.code)) throw error
    return {...version, kind: EXCLUSIONS[error.code], reason: error.message}
  }
}

function isExclusion(code: string): code is keyof typeof EXCLUSIONS {
  return Object.hasOwn(EXCLUSIONS, code)
}
