import type {ClusterApi} from '../../../cluster/api/cluster-api.js'
import {CrossplaneError} from '../../../errors.js'
import {countInstances, ownedCrds} from '../../../observe/core/owned-crds.js'
import {readOwned} from '../../../observe/core/read-owned.js'
import {readUsages} from '../../../observe/core/read-usages.js'
import {lostObjects, type OwnedObject, ownerUids} from '../../../plan/cluster/core/lock/lost-objects.js'
import {requestText} from '../../../plan/cluster/core/lock/problem-texts.js'
import {backward, forward} from '../../../plan/cluster/core/move-contents.js'
import type {HandOver} from '../../../plan/cluster/core/move-operations.js'
import {
  continueRejections,
  finishedRejections,
  otherMove,
} from '../../../plan/cluster/core/move-continuation.js'
import type {Diagnostic} from '../../../diagnostic.js'
import {rejection} from '../../../plan/cluster/core/moved-package.js'
import {notHandedOver} from '../../../plan/cluster/core/move-rejections.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {type CoreRequest, type CoreState} from '../../../plan/cluster/state/core-state.js'
import {moveCommand, type UnfinishedMove, unfinishedMoves} from '../../../plan/cluster/state/move-state.js'
import {uidOf} from '../../../plan/cluster/state/ownership.js'
import {namedIn} from '../../../reference/named.js'
import {canonicalName} from '../../../reference/repository-name.js'
import {escaped, listSome} from '../../../text.js'
import {derivedName} from '../../../xpkg/package-name.js'
import {asText} from '../../../yaml/json-value.js'
import type {ClusterChange, Decision} from '../cluster-change.js'
import type {InstallPorts} from '../install.js'
import {beginMove, beginOperations, type BegunMove, snapshotOf} from './begin-move.js'
import {existingCore} from './change-packages.js'
import {judgedRequirers} from './judge-requirers.js'
import type {BeginQuery} from './move-targets.js'
import {stillSyncing, syncRejections} from './sync-rejections.js'

/** A move of packages, or the way on and back from one that was interrupted. */
export type MoveQuery = BeginQuery | {readonly action: 'continue' | 'back'}

/** Plans a move, or what is left of one. Throws `not-found`, and the errors of resolution and the API. */
export async function prepareMove(query: MoveQuery, ports: InstallPorts): Promise<ClusterChange> {
  const decide = async () => await decided(query, ports)
  return {decision: await decide(), decide}
}

/** Reports whether a cluster has a move that is not finished. */
export async function isMoveBegun(api: ClusterApi): Promise<boolean> {
  return unfinishedMoves(await existingCore(api)).length > 0
}

async function decided(query: MoveQuery, ports: InstallPorts): Promise<Decision> {
  const core = await existingCore(ports.api)
  const {rejections, ...begun} = await moveOf(query, core, ports)
  const {packages} = begun
  const operations = beginOperations(begun, core)
  return {
    plan: {operations, unchanged: 0, rejections},
    ...{snapshot: snapshotOf(core), firstOwners: [], installs: []},
    recheck: await handedOver(packages, core, ports.api),
  }
}

async function moveOf(query: MoveQuery, core: CoreState, ports: InstallPorts): Promise<BegunMove> {
  const moves = unfinishedMoves(core)
  if (query.action === 'begin' && moves.length === 0) return await beginMove(query, core, ports)
  if (query.action === 'begin' && !isSame(query, moves))
    return {packages: [], before: [], rejections: moves.slice(0, 1).map(move => otherMove(move))}
  if (moves.length === 0) return {packages: [], before: [], rejections: []}
  if (moves.some(({record}) => record.inGit === true))
    return {packages: [], before: [], rejections: [withoutGit()]}
  const usages = await readUsages(ports.api)
  const isBack = query.action === 'back'
  const left = isBack ? backward(moves, core) : forward(moves, core)
  const {packages, rejections} = await judgedRequirers(left, core, ports)
  const synced = packages.flatMap(({from, requirers = []}) => [
    ...(from.live === undefined ? [] : [from.live]),
    ...requirers.map(({live}) => live),
  ])
  return {
    packages,
    before: [],
    rejections: [
      ...(isBack ? finishedRejections(moves, core) : []),
      ...continueRejections(packages, core, isBack ? 'back' : 'continue', usages),
      // What was paused at the beginning may have been resumed.
      ...(await syncRejections(synced, ports.api)),
      ...rejections,
    ],
  }
}

/** Commits began it, and only further ones can end it. */
function withoutGit(): Diagnostic {
  return rejection('xpkg-move-git', 'this move is made by commits, and goes on with --git', [
    'Pass --git and --context as for the command that began it.',
  ])
}

/** The words that began a move continue it: the package, what it moves to, and whether others move with it. */
function isSame(
  {from, to, name, family, with: changed, settings}: BeginQuery,
  moves: readonly UnfinishedMove[],
): boolean {
  const requirers = moves.flatMap(({record}) => record.requirers ?? [])
  const isChanged = (text: string) => {
    const {repository, tag} = coreReference(text)
    return requirers.some(one => {
      const next = coreReference(one.to.reference)
      const named = namedIn({text: repository, action: 'move', ...settings}, [
        {...one, repository: next.repository},
      ])
      return named.length > 0 && next.tag === tag
    })
  }
  if (!changed.every(isChanged)) return false
  const {repository: place, tag} = coreReference(to)
  const repository = canonicalName(place, settings.defaultSource)
  if (!family && moves.length > 1) return false
  return moves.some(move => {
    const former = {
      ...{kind: move.to.kind, name: move.record.from},
      repository: coreReference(asText(move.record.spec.package)).repository,
    }
    const isFrom = namedIn({text: from, action: 'move', ...settings}, [former]).length > 0
    const {to: own, reference, spec} = move.record
    const isTag = coreReference(reference).tag === (tag ?? coreReference(asText(spec.package)).tag)
    const isName = own === (name ?? derivedName(move.to.repository))
    return isFrom && isTag && isName && canonicalName(move.to.repository) === repository
  })
}

/** What is checked before a former request is deleted. */
interface HandOverCheck {
  /** The commands that go on, or back. */
  readonly ways: readonly string[]
  /** Where commits move it, whether the one is deployed by which nothing applies the former request any more. */
  readonly applied?: 'still' | 'no more'
}

const WAYS = [moveCommand('--continue'), moveCommand('--back')]

/** Returns the check right before a former request is deleted: nothing that users need may go with it. */
export async function handedOver(
  packages: readonly HandOver[],
  core: CoreState,
  api: ClusterApi,
  check: HandOverCheck = {ways: WAYS},
): Promise<NonNullable<Decision['recheck']>> {
  const requests = packages.flatMap(({from}) => from.live ?? [])
  const before = await ownedCrds(requests, core, api)
  const uids = new Map(before.map(({crd}) => [crd.metadata.name, uidOf(crd)]))
  return async () => {
    const current = await existingCore(api)
    const owned = await readOwned(api)
    for (const one of packages) await expectHandedOver(one, {core: current, owned, api, ...check})
    const changed = owned.filter(
      ({kind, name, uid}) => kind === 'CustomResourceDefinition' && uids.has(name) && uids.get(name) !== uid,
    )
    if (changed.length > 0)
      throw notMoved(`other programs replaced ${textOf(changed)} during the move`, check)
  }
}

interface CheckedCluster extends HandOverCheck {
  readonly core: CoreState
  readonly owned: readonly OwnedObject[]
  readonly api: ClusterApi
}

async function expectHandedOver(
  {to, from: {live}}: HandOver,
  {core, owned, api, ...check}: CheckedCluster,
): Promise<void> {
  const from = core.requests.find(({uid}) => uid === live?.uid)
  if (from === undefined) return
  const [synced] = await appliedAgain(from, check.applied, api)
  if (synced !== undefined) throw notMoved(synced.message, check)
  const next = core.requests.find(({kind, name}) => kind === from.kind && name === to.name)
  const revision = core.revisions.find(
    ({name, isActive, isTerminating}) =>
      name === next?.revision && !next.isTerminating && isActive && !isTerminating,
  )
  const lost = lostObjects([from], core, owned)
  const own = {from: ownerUids(from, core.revisions), revision: revision?.uid}
  const left = notHandedOver(owned, own).filter(object => !lost.includes(object))
  const name = requestText({kind: from.kind, name: to.name})
  if (left.length > 0 || revision === undefined)
    throw notMoved(`${name} does not control ${left.length === 0 ? 'its objects' : textOf(left)}`, check)
  const used = await usedOf(from, lost, core, api)
  if (used.length > 0)
    throw notMoved(
      `${listSome(used)} would be deleted with ${requestText(from)}, with all custom resources`,
      check,
    )
}

async function appliedAgain(
  from: CoreRequest,
  applied: HandOverCheck['applied'],
  api: ClusterApi,
): Promise<readonly Diagnostic[]> {
  if (applied === 'still') return []
  return applied === 'no more' ? await stillSyncing([from], api) : await syncRejections([from], api)
}

/** The CRDs with custom resources among objects that are deleted. */
async function usedOf(
  from: CoreRequest,
  lost: readonly OwnedObject[],
  core: CoreState,
  api: ClusterApi,
): Promise<readonly string[]> {
  const names = new Set(lost.map(({name}) => name))
  if (names.size === 0) return []
  const crds = (await ownedCrds([from], core, api)).map(({crd}) => crd)
  const counts = await countInstances(
    crds.filter(({metadata}) => names.has(metadata.name)),
    api,
  )
  return [...counts].flatMap(([crd, {total}]) => (total > 0 ? [escaped(crd)] : []))
}

function textOf(objects: readonly OwnedObject[]): string {
  return listSome(objects.map(({kind, name}) => `${kind} ${escaped(name)}`))
}

function notMoved(cause: string, {ways: suggestions}: HandOverCheck): CrossplaneError {
  return new CrossplaneError('cluster-refused', `cannot complete the move: ${cause}`, {suggestions})
}
