import type {LockedXpkg} from '../../declaration/lock.js'
import type {CoreState} from '../../plan/cluster/state/core-state.js'

/** A package that is not the same in the lock and in the Lock of Crossplane. */
export interface CoreDrift {
  readonly repository: string
  /** As `TAG@DIGEST`; absent if the lock does not have the package. */
  readonly lock?: string
  /** A tag or digest; absent if Crossplane's Lock does not have the package. */
  readonly core?: string
}

/**
 * Compares the packages of a lock with those in the Lock of Crossplane. A package that skips Crossplane's resolver is never in
 * the latter.
 */
export function coreDrift(
  locked: readonly LockedXpkg[],
  {requests, lock: {entries}}: Pick<CoreState, 'requests' | 'lock'>,
): readonly CoreDrift[] {
  const skips = new Set(requests.filter(({isResolved}) => !isResolved).map(({repository}) => repository))
  const others = entries.filter(entry => !locked.some(({repository}) => repository === entry.repository))
  return [
    ...locked.flatMap(({repository, tag, digest}): readonly CoreDrift[] => {
      const lock = [tag ?? '', digest === undefined ? '' : `@${digest}`].join('')
      const own = entries.filter(entry => entry.repository === repository)
      if (own.length === 0) return skips.has(repository) ? [] : [{repository, lock}]
      const differing = own.filter(({version}) => version !== tag && version !== digest)
      return differing.map(({version}) => ({repository, lock, core: version}))
    }),
    ...others.map(({repository, version}) => ({repository, core: version})),
  ]
}
