import type {Diagnostic} from '../diagnostic.js'
import type {PackageSummary} from '../index/package-summary.js'
import {compareVersions, newestStable} from '../reference/newest-version.js'
import type {SolverInput} from '../resolve/solver-input.js'
import type {PackagePorts} from './locate/located-package.js'
import {type ResolutionPolicy, resolvePackages, unresolved} from './resolve/resolve-packages.js'
import type {Requested} from './resolve/wanted-roots.js'

/** What a lock names beside what there is. */
export interface OutdatedReport {
  /** Packages of which there is a newer version, by identity. */
  readonly packages: readonly OutdatedPackage[]
  /** How many are the newest there are. */
  readonly current: number
  readonly notes: readonly Diagnostic[]
}

interface OutdatedPackage {
  readonly package: string
  readonly locked: string
  /** The newest with which everything fits, if all were free to move; absent where nothing needs the package then. */
  readonly fits?: string
  /** The newest stable one at hand that nobody withdrew, whether it fits or not; absent where none is at hand. */
  readonly newest?: string
  /** `outdated` if another version would fit, `held-back` if there only is one. */
  readonly status: 'outdated' | 'held-back'
}

/** Compares a lock with what could be chosen today. Throws as `resolvePackages` refuses. */
export async function outdated(
  requested: readonly Requested[],
  policy: ResolutionPolicy,
  ports: PackagePorts,
): Promise<OutdatedReport> {
  const {lock: held, ...free} = policy
  if (held === undefined) throw new RangeError('there is no lock to compare with')
  const result = await resolvePackages(
    requested,
    {...free, lock: {...held, upgraded: 'all', otherwise: 'take'}},
    ports,
  )
  if (result.kind === 'rejected') throw unresolved(result)
  const {input, resolution} = result
  const fitting = new Map(resolution.packages.map(({summary}) => [summary.identity, summary.tag]))
  const packages = held.lock.packages.flatMap(({identity, tag}) => {
    const fits = fitting.get(identity)
    const newest = newestStable(offeredTags(identity, input))
    const status = statusOf(tag, fits, newest)
    if (status === undefined) return []
    const found = {...(fits === undefined ? {} : {fits}), ...(newest === undefined ? {} : {newest})}
    return [{package: identity, locked: tag, ...found, status}]
  })
  return {packages, current: held.lock.packages.length - packages.length, notes: resolution.notes}
}

function offeredTags(of: string, {summaries, excluded}: SolverInput): string[] {
  const yanked = excluded.filter(({kind, identity}) => kind === 'yanked' && identity === of)
  const isOffered = ({tag, digest}: PackageSummary) =>
    !yanked.some(each => each.tag === tag && (each.digest === undefined || each.digest === digest))
  return summaries.filter(each => each.identity === of && isOffered(each)).map(({tag}) => tag)
}

function statusOf(
  locked: string,
  fits: string | undefined,
  newest: string | undefined,
): OutdatedPackage['status'] | undefined {
  if (fits !== locked) return 'outdated'
  return newest !== undefined && compareVersions(newest, locked) < 0 ? 'held-back' : undefined
}
