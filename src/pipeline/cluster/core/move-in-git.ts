import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import type {MovingRequest} from '../../../declaration/moving.js'
import {keptPackage} from '../../../declaration/moving-objects.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import {nameOf, objectKey} from '../../../kubernetes/object-key.js'
import {readOwned} from '../../../observe/core/read-owned.js'
import {readUsages} from '../../../observe/core/read-usages.js'
import {UNKNOWN_CLUSTER} from '../../../plan/cluster/access/read-access.js'
import {ownerUids} from '../../../plan/cluster/core/lock/lost-objects.js'
import {requestText} from '../../../plan/cluster/core/lock/problem-texts.js'
import {backward, deployedMoves, forward} from '../../../plan/cluster/core/move-contents.js'
import {type LeftPair, leftPairs, leftRequests} from '../../../plan/cluster/core/left-pairs.js'
import {continueRejections, otherMove} from '../../../plan/cluster/core/move-continuation.js'
import {
  type HandOver,
  handOverOperations,
  isManual,
  takeOverOperations,
} from '../../../plan/cluster/core/move-operations.js'
import {rejection} from '../../../plan/cluster/core/moved-package.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import type {MovedRequest} from '../../../plan/declaration/moved-requests.js'
import {isKeptByController} from '../../../plan/folder/controller-annotations.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {type UnfinishedMove, unfinishedMoves} from '../../../plan/cluster/state/move-state.js'
import {present} from '../../../present.js'
import {requestName} from '../../../reference/named.js'
import {escaped, listNames, shellWord} from '../../../text.js'
import {derivedName, revisionName} from '../../../xpkg/package-name.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {ClusterChange, Decision} from '../cluster-change.js'
import type {InstallPorts} from '../install.js'
import {beginMove, beginOperations} from './begin-move.js'
import {judgedLeftPairs} from './judge-left-pairs.js'
import {existingCore} from './change-packages.js'
import {handedOver} from './move-packages.js'
import {type BeginQuery, targetsOf} from './move-targets.js'
import {stillSyncing, unlistedIn} from './sync-rejections.js'

/** What the home of a move has at a commit. */
export interface MovingHome {
  readonly moving: readonly MovingRequest[]
  /** The requests of Providers in its lock, by name, as `REPOSITORY[:TAG]`. */
  readonly requests: ReadonlyMap<string, string>
  /** Their locked digests, by name. */
  readonly digests: ReadonlyMap<string, string>
}

/** A move that commits begin: the whole plan, and what the first commit requests. */
export interface BegunInGit {
  readonly change: ClusterChange
  readonly moves: readonly MovedRequest[]
}

/**
 * Plans a move that begins and ends with a commit. Throws as `beginMove` does, and `git-refused` where the home requests a version other than the one that
 * the cluster has.
 */
export async function beginInGit(
  query: BeginQuery,
  home: MovingHome,
  ports: InstallPorts,
): Promise<BegunInGit> {
  const core = await existingCore(ports.api)
  const [other] = unfinishedMoves(core)
  if (other === undefined) for (const {from} of targetsOf(query, core)) expectAsCommitted(from, home)
  const {rejections, ...begun} =
    other === undefined
      ? await beginMove({...query, inGit: true}, core, ports)
      : {packages: [], before: [], rejections: [otherMove(other, home.moving.length === 0)]}
  const {packages} = begun
  const operations = beginOperations(begun, core)
  const stopped = packages.flatMap(({from: {live}}) => (live === undefined || !isManual(live) ? [] : [live]))
  const plan = {operations, unchanged: 0, rejections: [...rejections, ...stopped.map(manualRejection)]}
  const decision = {plan, ...{snapshot: snapshotOf(core), firstOwners: [], installs: []}}
  return {change: {decision, decide: () => Promise.resolve(decision)}, moves: packages.map(movedRequest)}
}

/** The new version follows from the one in the cluster: one that waits to be synced would be lost, and another home is of another cluster. */
function expectAsCommitted(request: CoreRequest, {requests, digests}: MovingHome): void {
  const {name, reference, revision} = request
  const committed = requests.get(name)
  // The commit says which package the lock does not have, and the plan that none moves by a digest.
  if (committed === undefined || request.digest !== undefined) return
  const [live, digest] = [requestText(request), digests.get(name)]
  if (committed !== reference)
    throw notAsCommitted(
      `${live} has the package ${escaped(reference)} in the cluster and ${escaped(committed)} in the repository`,
    )
  if (digest === undefined || revision === undefined || revision === revisionName(name, digest)) return
  throw notAsCommitted(
    `${live} has the revision ${escaped(revision)} in the cluster, and ${escaped(committed)} in the repository is locked at ${digest}, of the revision ${escaped(revisionName(name, digest))}`,
  )
}

function notAsCommitted(cause: string): CrossplaneError {
  return new CrossplaneError('git-refused', `cannot move: ${cause}`, {
    suggestions: [
      'Pass --context with the cluster that applies this repository and path.',
      'Wait until the cluster has synced the last commit, and run the command again.',
    ],
  })
}

/** The policy says that the former request stops: a policy of the user would be lost with it. */
function manualRejection(request: CoreRequest): Diagnostic {
  const message = `${requestText(request)} has the activation policy Manual, by which the commit of a move stops it`
  return rejection('xpkg-move-unsupported', message, [
    'Remove revisionActivationPolicy from the declaration first, and set it again after the move.',
  ])
}

function movedRequest({from, to}: HandOver): MovedRequest {
  const reference = asText(asObject(to.content.spec).package)
  const {repository} = coreReference(reference)
  const name = to.name === derivedName(repository) ? undefined : to.name
  return {from: from.name, to: to.name, isBack: false, entry: {package: reference, ...present({name})}}
}

/** Returns the commit by which a move turns around; undefined if it goes in this direction. */
export function turned({moving}: MovingHome, isBack: boolean): readonly MovedRequest[] | undefined {
  if (moving.length === 0 || moving.every(one => one.isBack === isBack)) return undefined
  return moving.map(({from, to, entry, digest, objects}) => {
    const {repository, tag} = coreReference(keptPackage(objects))
    const isLocked = tag !== undefined && digest !== undefined
    return {
      ...{from: to, to: from, isBack},
      // A package that only others require has no entry: they lead to it.
      ...present({entry}),
      ...(isLocked ? {locked: {repository, tag, digest}} : {}),
    }
  })
}

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
  const [left] = leftRequests(requests, core)
  if (left !== undefined) throw unfinishedLeft(left)
  const owned = (await readOwned(api)).filter(({kind}) => kind === 'CustomResourceDefinition')
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

/** Of two moves in turn that were not completed: the request of the first one has left the tree as well. */
function unfinishedLeft(request: CoreRequest): CrossplaneError {
  const message = `${requestText(request)} is left of a move that is not finished in this cluster, and the commits of this path do not have the request to which its package moved`
  return new CrossplaneError('cluster-refused', message, {
    suggestions: [
      'Make its revision inactive, and delete this request once another one has its package and is healthy.',
      `kubectl crossplane package status ${shellWord(requestName(request))}`,
    ],
  })
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

/** The packages that both commits moved while this cluster was not the one that they waited for. */
async function leftIn(
  {moving, requests}: MovingHome,
  core: CoreState,
  api: ClusterApi,
): Promise<readonly LeftPair[]> {
  if (moving.length > 0 || unfinishedMoves(core).length > 0) return []
  return leftPairs(new Set(requests.keys()), core, await readOwned(api))
}

/** The packages of the unfinished move that the commits of a home began, as their annotation says. */
function markedMoves({moving, requests}: MovingHome, core: CoreState): readonly UnfinishedMove[] {
  const names = new Set([...requests.keys(), ...moving.flatMap(({from, to}) => [from, to])])
  return unfinishedMoves(core).filter(
    ({record}) => record.inGit === true && (names.has(record.from) || names.has(record.to)),
  )
}

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
  const next = requestNamed(to, core)
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
  const former = requestNamed(from, core)
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
  const former = names.flatMap(name => requestNamed(name, core) ?? [])
  return (await stillSyncing(former, api))[0]?.message
}

function requestNamed(name: string, {requests}: CoreState): CoreRequest | undefined {
  return requests.find(one => one.kind === 'Provider' && one.name === name)
}

/** Which steps: those between both commits, or those after the second one, with the commands that go on or back. */
export interface MovePart {
  readonly steps: 'take-over' | 'end'
  readonly ways: readonly string[]
}

/** Plans a part of the steps. */
export async function prepareInGit(
  home: MovingHome,
  part: MovePart,
  ports: InstallPorts,
): Promise<ClusterChange & PartOfMove> {
  const decide = async () => await decidedInGit(home, part, ports)
  const {former, goal, ...decision} = await decide()
  return {decision, decide, former, goal}
}

interface PartOfMove {
  /** The names of the requests that are left in the end. */
  readonly former: readonly string[]
  /** Which way the packages go, for a question. */
  readonly goal: string
}

/** Throws `cluster-refused` if a package needs its former request, so that no commit may remove it. */
export async function expectTakenOver(
  home: MovingHome,
  ways: readonly string[],
  api: ClusterApi,
): Promise<void> {
  const core = await existingCore(api)
  await (
    await handedOver((await handOvers(home, core, api)).packages, core, api, {ways, applied: 'still'})
  )()
}

async function decidedInGit(
  home: MovingHome,
  {steps: part, ways}: MovePart,
  {api, requests}: InstallPorts,
): Promise<Decision & PartOfMove> {
  const core = await existingCore(api)
  const {packages: all, direction, isLeft} = await handOvers(home, core, api)
  const {packages, rejections} = isLeft
    ? await judgedLeftPairs(all, core, {api, requests})
    : {packages: all, rejections: []}
  const isBack = direction === 'back' || home.moving.some(one => one.isBack)
  const steps = part === 'end' ? handOverOperations : takeOverOperations
  return {
    plan: {
      operations: steps(packages, core),
      unchanged: 0,
      rejections: [
        ...continueRejections(packages, core, direction, await readUsages(api), ways),
        ...rejections,
      ],
    },
    ...{snapshot: snapshotOf(core), firstOwners: [], installs: []},
    recheck: await handedOver(packages, core, api, {ways, applied: 'no more'}),
    former: packages.map(({from}) => from.name),
    goal: `${isBack ? 'give back to' : 'take over'} ${listNames(packages.map(({to}) => escaped(to.name)))}`,
  }
}

/** The annotation says which request was the first one; the home says which one stays. */
async function handOvers(
  home: MovingHome,
  core: CoreState,
  api: ClusterApi,
): Promise<{
  readonly packages: readonly HandOver[]
  readonly direction: 'continue' | 'back'
  /** Whether no command has judged them in this cluster. */
  readonly isLeft: boolean
}> {
  const {moving, requests} = home
  const marked = markedMoves(home, core)
  const staying = new Set(moving.length === 0 ? requests.keys() : moving.map(({to}) => to))
  if (marked.length > 0)
    return marked.every(({record}) => staying.has(record.to))
      ? {packages: forward(marked, core), direction: 'continue', isLeft: false}
      : {packages: backward(marked, core), direction: 'back', isLeft: false}
  const pairs = moving.flatMap(one => {
    const [from, to] = [requestNamed(one.from, core), requestNamed(one.to, core)]
    return from === undefined || to === undefined ? [] : [{from, to}]
  })
  const left = await leftIn(home, core, api)
  const packages = forward(deployedMoves([...pairs, ...left]), core)
  return {packages, direction: 'continue', isLeft: left.length > 0}
}

function snapshotOf({requests}: CoreState): Decision['snapshot'] {
  const live = new Map(requests.map(({object}) => [objectKey(nameOf(object)), object]))
  return {...UNKNOWN_CLUSTER, live}
}
