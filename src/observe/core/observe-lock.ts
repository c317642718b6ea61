import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {CoreState} from '../../plan/cluster/state/core-state.js'
import {
  duplicateRepositories,
  type LockProblem,
  lockProblems,
} from '../../plan/cluster/core/lock/lock-problems.js'
import {readCore} from './read-core.js'
import {readOwned} from './read-owned.js'

/** What is wrong with a Lock, and what that was found in. */
export interface ObservedLock {
  readonly state: CoreState
  readonly problems: readonly LockProblem[]
}

/**
 * Reads the Lock of a current Crossplane, and finds its problems; undefined if the cluster does not serve its kinds. Throws
 * the errors of the API.
 */
export async function observeLock(
  api: Pick<ClusterApi, 'get' | 'list' | 'resource' | 'discover'>,
): Promise<ObservedLock | undefined> {
  const state = await readCore(api)
  if (state === undefined) return undefined
  // Thousands of CRDs are only read where they decide something.
  const owned = duplicateRepositories(state).length === 0 ? [] : await readOwned(api)
  return {state, problems: lockProblems(state, owned)}
}
