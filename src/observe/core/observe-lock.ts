import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import type {CoreState} from '../../plan/core/core-state.js'
import {duplicateSources, type LockProblem, lockProblems} from '../../plan/core/lock-problems.js'
import {readCoreState} from './read-core-state.js'
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
  api: Pick<ClusterApi, 'get' | 'list' | 'resource'>,
): Promise<ObservedLock | undefined> {
  const state = await readCoreState(api)
  if (state === undefined) return undefined
  // Thousands of CRDs are only read where they decide something.
  const owned = duplicateSources(state).length === 0 ? [] : await readOwned(api)
  return {state, problems: lockProblems(state, owned)}
}
