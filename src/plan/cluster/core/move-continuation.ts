import type {Diagnostic} from '../../../diagnostic.js'
import {CrossplaneError, withSuggestions} from '../../../errors.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {requestName} from '../../../reference/named.js'
import {escaped, shellWord} from '../../../text.js'
import {asObject, asText} from '../../../yaml/json-value.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {moveCommand, moveWays, type UnfinishedMove, unfinishedMoves} from '../state/move-state.js'
import {requestText} from './lock/problem-texts.js'
import type {HandOver} from './move-operations.js'
import {lockRejections, pausedRejections, terminating, usageRejections} from './move-rejections.js'
import {requiredRejection, requirersOf} from './move-requirers.js'
import {rejection} from './moved-package.js'
import {coreReference} from './read-core-object.js'

/** Returns why a move that has begun cannot go on, nor back, now. */
export function continueRejections(
  packages: readonly HandOver[],
  core: CoreState,
  direction: 'continue' | 'back',
  usages: readonly KubernetesObject[],
  /** Where commits made the move: the commands that go on, or back, in this cluster. */
  ways?: readonly string[],
): readonly Diagnostic[] {
  const lives = packages
    .flatMap(({to, from, requirers = []}) => [to.live, from.live, ...requirers.map(({live}) => live)])
    .flatMap(live => live ?? [])
  const goal = packages.flatMap(({to}) => (to.live?.isTerminating === true ? [to.live] : []))
  const isForward = direction === 'continue'
  return [
    ...lives.flatMap(request => pausedRejections(request, core)),
    ...lockRejections(
      core,
      isForward,
      packages.map(({to, from}) => [from.name, to.name]),
    ),
    // The annotation, by which a move goes on, is deleted with the request.
    ...(isForward ? goal.map(terminating) : []),
    ...packages.flatMap(one => [
      ...(one.from.live === undefined || one.from.live.isTerminating
        ? []
        : usageRejections(one.from.live, usages)),
      ...occupiedRejections(one, core),
      ...leftRequirerRejections(
        one,
        packages,
        core,
        ways ?? moveCommand(isForward ? '--back' : '--continue'),
      ),
    ]),
  ]
}

/** A move in which packages have moved to the end can only go on: nothing says any more how they would go back. */
export function finishedRejections(
  moves: readonly UnfinishedMove[],
  {requests}: CoreState,
): readonly Diagnostic[] {
  const finished = moves.filter(
    ({live, isMarked, record}) =>
      live !== undefined &&
      !isMarked &&
      !requests.some(({kind, name}) => kind === live.kind && name === record.from),
  )
  return finished.slice(0, 1).map(({to, record}) => {
    const message = `${requestText({kind: to.kind, name: record.from})} has moved to ${requestText(to)}: complete the move of the packages with it, and move them back then`
    return rejection('xpkg-move-unfinished', message, [moveCommand('--continue')])
  })
}

/** A request that another program made in the meantime has another package. */
function occupiedRejections({to}: HandOver, {requests}: CoreState): readonly Diagnostic[] {
  const {kind} = to.content
  const place = repositoryOf(to.content)
  const other = requests.find(one => one.kind === kind && one.name === to.name && one.repository !== place)
  if (other === undefined) return []
  const message = `${requestText(other)} has another package now, ${escaped(other.repository)}`
  return [
    rejection('xpkg-move-exists', message, [
      `kubectl crossplane package status ${shellWord(requestName(other))}`,
    ]),
  ]
}

/** What another package requires since the move began would be installed again. */
function leftRequirerRejections(
  {to, from}: HandOver,
  all: readonly HandOver[],
  core: CoreState,
  ways: string | readonly string[],
): readonly Diagnostic[] {
  const repository = repositoryOf(from.content)
  if (from.live === undefined || repository === repositoryOf(to.content)) return []
  const moved = new Set([
    ...all.map(one => repositoryOf(one.from.content)),
    ...all.flatMap(({requirers = []}) => requirers).map(({live}) => live.repository),
  ])
  const left = requirersOf(repository, core).filter(one => !moved.has(one))
  if (left.length === 0) return []
  const suggestions =
    typeof ways === 'string'
      ? [ways]
      : [`Upgrade them first, to versions that do not require ${escaped(repository)}.`, ...ways]
  return [requiredRejection(repository, left, suggestions)]
}

function repositoryOf({spec}: KubernetesObject): string {
  return coreReference(asText(asObject(spec).package)).repository
}

/** Says that another move has to be finished first. @param isEnded - whether the commits of the tree have it to the end, where they are known. */
export function otherMove(move: UnfinishedMove, isEnded?: boolean): Diagnostic {
  const {to, record} = move
  return rejection(
    'xpkg-move-unfinished',
    `the move of ${requestText({kind: to.kind, name: record.from})} to ${requestText(to)} is not finished`,
    moveWays(move, isEnded),
  )
}

/** Says which requests are of a move that is not finished: another command would remove what is needed to complete it. */
export function movingRejections(
  requested: readonly Pick<CoreRequest, 'kind' | 'name'>[],
  core: Pick<CoreState, 'requests'>,
): readonly Diagnostic[] {
  const isMoving = ({to, record}: UnfinishedMove) =>
    requested.some(
      ({kind, name}) =>
        (kind === to.kind && (name === to.name || name === record.from)) ||
        record.requirers?.some(one => one.kind === kind && one.name === name) === true,
    )
  return unfinishedMoves(core)
    .filter(isMoving)
    .slice(0, 1)
    .map(move => otherMove(move))
}

/** Adds the commands that go on, or back, to the error of a step, if requests have what these need. */
export function withWayOn(error: unknown, isBegun: boolean): unknown {
  if (!isBegun || !(error instanceof CrossplaneError)) return error
  const ways = [moveCommand('--continue'), moveCommand('--back')]
  return withSuggestions(
    error,
    ways.filter(way => !error.suggestions.includes(way)),
  )
}
