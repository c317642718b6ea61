import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {MovingRequest} from '../../../declaration/moving.js'
import {keptPackage} from '../../../declaration/moving-objects.js'
import {requestText} from '../../../plan/cluster/core/lock/problem-texts.js'
import {isManual} from '../../../plan/cluster/core/move-operations.js'
import {isKeptByController} from '../../../kubernetes/controller-annotations.js'
import type {CoreState} from '../../../plan/cluster/state/core-state.js'
import {escaped} from '../../../text.js'
import {existingCore} from './change-packages.js'
import {stillSyncing, unlistedIn} from './sync-rejections.js'
import {type MovingHome, markedMoves, providerNamed} from './moving-home.js'

/**
 * Returns why the first commit is not deployed yet: the new request exists, and the former one is stopped and protected. One that does not exist was never synced, or
 * was deleted by a user: whatever applies the tree makes it, and would do so after the last commit too if an earlier sync still ran then.
 */
export async function undeployed(home: MovingHome, api: ClusterApi): Promise<string | undefined> {
  const core = await existingCore(api)
  const marked = new Set(markedMoves(home, core).map(({to}) => to.name))
  const problems: string[] = []
  for (const one of home.moving) {
    const problem = unrequested(one, home, core) ?? (await unsynced(one, marked, core, api))
    if (problem !== undefined) problems.push(problem)
  }
  return problems[0]
}

function unrequested({to}: MovingRequest, {requests}: MovingHome, core: CoreState): string | undefined {
  const next = providerNamed(to, core)
  const name = requestText({kind: 'Provider', name: to})
  if (next?.revision === undefined || next.isTerminating) return `${name} is not requested`
  return next.reference === requests.get(to) ? undefined : `${name} has the package ${next.reference}`
}

async function unsynced(
  {from, to, objects}: MovingRequest,
  marked: ReadonlySet<string>,
  core: CoreState,
  api: ClusterApi,
): Promise<string | undefined> {
  const former = providerNamed(from, core)
  if (former === undefined)
    return marked.has(to) ? undefined : `${requestText({kind: 'Provider', name: from})} is not requested`
  if (former.isTerminating) return undefined
  // Another package that has this name is no part of the move.
  if (former.reference !== keptPackage(objects))
    return `${requestText(former)} has the package ${former.reference}`
  if (!isManual(former)) return `${requestText(former)} is not stopped`
  if (!isKeptByController({...former.object}))
    return `${requestText(former)} is not protected against pruning`
  const [source] = await unlistedIn(former, api)
  return source === undefined
    ? undefined
    : `${source.kind} ${escaped(source.metadata.name)} has not finished its sync of ${requestText(former)}`
}

/** Returns why the last commit is not deployed yet: nothing applies the former requests any more. */
export async function stillApplied(names: readonly string[], api: ClusterApi): Promise<string | undefined> {
  const core = await existingCore(api)
  const former = names.flatMap(name => providerNamed(name, core) ?? [])
  return (await stillSyncing(former, api))[0]?.message
}
