import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../../errors.js'
import {readOwned} from '../../../observe/core/read-owned.js'
import {ownerUids} from '../../../plan/cluster/core/lock/lost-objects.js'
import {requestText} from '../../../plan/cluster/core/lock/problem-texts.js'
import {leftProblem} from '../../../plan/cluster/core/left-pairs.js'
import {otherMove} from '../../../plan/cluster/core/move-continuation.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {unfinishedMoves} from '../../../plan/cluster/state/move-state.js'
import {present} from '../../../present.js'
import {requestName} from '../../../reference/named.js'
import {escaped, shellWord} from '../../../text.js'
import {existingCore} from './change-packages.js'
import {type MovingHome, markedMoves, leftIn} from './moving-home.js'

/** Reports whether a home or its cluster has a move that commits began. Throws `git-refused` for a move of another home. */
export async function isBegunInGit(home: MovingHome, api: ClusterApi): Promise<boolean> {
  if (home.moving.length > 0) return true
  const core = await existingCore(api)
  if (markedMoves(home, core).length > 0) return true
  if ((await leftIn(home, core, api)).length > 0) return true
  const [other] = unfinishedMoves(core).filter(({record}) => record.inGit === true)
  if (other === undefined) return false
  const {from, to} = other.record
  const message = `the move of ${escaped(from)} to ${escaped(to)} is not finished, and was made by the commits of another repository or path`
  throw new CrossplaneError('git-refused', message, {
    suggestions: ['Pass --git and --path as for the command that began it.'],
  })
}

/**
 * Throws `cluster-refused` for a move that is not finished in a cluster although the commits of a home show none: one of another way, and
 * requests that own the same CRDs, such as in a second cluster of the tree.
 */
export async function expectNoMove({requests, moving}: MovingHome, api: ClusterApi): Promise<void> {
  const core = await existingCore(api)
  const [other] = unfinishedMoves(core)
  if (other !== undefined) {
    const {message, suggestions = []} = otherMove(other, moving.length === 0)
    throw new CrossplaneError('cluster-refused', message, {suggestions})
  }
  const objects = await readOwned(api)
  const left = leftProblem(new Set(requests.keys()), core, objects)
  if (left !== undefined)
    throw new CrossplaneError('cluster-refused', left.message, present({suggestions: left.suggestions}))
  const owned = objects.filter(({kind}) => kind === 'CustomResourceDefinition')
  const providers = core.requests.filter(({kind}) => kind === 'Provider')
  const ownersOf = (uids: readonly string[]) =>
    providers.filter(one => ownerUids(one, core.revisions).some(uid => uids.includes(uid)))
  const pair = owned
    .map(({owners}) => ownersOf(owners))
    .find(all => all.length > 1 && all.some(({name}) => requests.has(name)))
  if (pair !== undefined) throw unfinishedPair(pair, 'own the same CRDs')
  const same = providers
    .map(({repository}) => providers.filter(one => one.repository === repository))
    .find(all => all.length > 1 && all.some(({name}) => requests.has(name)))
  if (same !== undefined) throw unfinishedPair(same, 'have the same repository')
}

function unfinishedPair(pair: readonly CoreRequest[], reason: string): CrossplaneError {
  const message = `${pair.map(requestText).join(' and ')} ${reason}: a move between them is not finished in this cluster, and the commits of this path do not have it`
  return new CrossplaneError('cluster-refused', message, {
    suggestions: [
      'Make the revision of the former request inactive, and delete this request once the other one is healthy.',
      ...pair.map(one => `kubectl crossplane package status ${shellWord(requestName(one))}`),
    ],
  })
}
