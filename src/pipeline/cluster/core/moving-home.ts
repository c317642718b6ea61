import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {MovingRequest} from '../../../declaration/moving.js'
import {readOwned} from '../../../observe/core/read-owned.js'
import {type LeftPair, leftPairs} from '../../../plan/cluster/core/left-pairs.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {type UnfinishedMove, unfinishedMoves} from '../../../plan/cluster/state/move-state.js'

/** What the home of a move has at a commit. */
export interface MovingHome {
  readonly moving: readonly MovingRequest[]
  /** The requests of Providers in its lock, by name, as `REPOSITORY[:TAG]`. */
  readonly requests: ReadonlyMap<string, string>
  /** Their locked digests, by name. */
  readonly digests: ReadonlyMap<string, string>
}

/** The packages that both commits moved while this cluster was not the one that they waited for. */
export async function leftIn(
  {moving, requests}: MovingHome,
  core: CoreState,
  api: ClusterApi,
): Promise<readonly LeftPair[]> {
  if (moving.length > 0 || unfinishedMoves(core).length > 0) return []
  return leftPairs(new Set(requests.keys()), core, await readOwned(api))
}

/** The packages of the unfinished move that the commits of a home began, as their annotation says. */
export function markedMoves({moving, requests}: MovingHome, core: CoreState): readonly UnfinishedMove[] {
  const names = new Set([...requests.keys(), ...moving.flatMap(({from, to}) => [from, to])])
  return unfinishedMoves(core).filter(
    ({record}) => record.inGit === true && (names.has(record.from) || names.has(record.to)),
  )
}

/** Returns the request of a Provider. */
export function providerNamed(name: string, {requests}: CoreState): CoreRequest | undefined {
  return requests.find(one => one.kind === 'Provider' && one.name === name)
}
