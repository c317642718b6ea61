import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError} from '../../../errors.js'
import {requestText} from '../../../plan/cluster/core/lock/problem-texts.js'
import {otherMove} from '../../../plan/cluster/core/move-continuation.js'
import {type HandOver, isManual} from '../../../plan/cluster/core/move-operations.js'
import {rejection} from '../../../plan/cluster/core/moved-package.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import type {MovedRequest} from '../../../plan/declaration/moved-requests.js'
import type {CoreRequest} from '../../../plan/cluster/state/core-state.js'
import {unfinishedMoves} from '../../../plan/cluster/state/move-state.js'
import {present} from '../../../present.js'
import {escaped} from '../../../text.js'
import {derivedName, revisionName} from '../../../xpkg/package-name.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {ClusterChange} from '../cluster-change.js'
import type {InstallPorts} from '../install.js'
import {beginMove, beginOperations, snapshotOf} from './begin-move.js'
import {existingCore} from './change-packages.js'
import {type BeginQuery, targetsOf} from './move-targets.js'
import type {MovingHome} from './moving-home.js'

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
