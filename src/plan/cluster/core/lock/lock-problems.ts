import {compareText} from '../../../../reference/compare-text.js'
import {derivedName} from '../../../../xpkg/package-name.js'
import type {CoreRequest, CoreRevision, CoreState, LockEntry} from '../../state/core-state.js'
import {isMoving, type UnfinishedMove, unfinishedMoves} from '../../state/move-state.js'
import {lostObjects, ownerUids, type OwnedObject} from './lost-objects.js'

/** A reason why Crossplane resolves nothing, or will not after the next upgrade. */
export type LockProblem =
  | DuplicateRequests
  /** Several revisions of one request are in the Lock: none of them was activated by hand. */
  | {
      readonly kind: 'revisions'
      readonly repository: string
      readonly kept: CoreRevision
      readonly others: readonly CoreRevision[]
    }
  /** The Lock has revisions that do not exist any more. */
  | {readonly kind: 'leftover'; readonly repository: string; readonly entries: readonly LockEntry[]}
  /** Packages require each other; the first one is repeated at the end. */
  | {readonly kind: 'cycle'; readonly repositories: readonly string[]}
  /** Another failure, in Crossplane's words. */
  | {readonly kind: 'failure'; readonly message: string}
  /** A package is at two requests, one of which is to take it over. */
  | {readonly kind: 'move'; readonly move: UnfinishedMove}
  /** A required package has a name other than Crossplane derives: its next upgrade makes Crossplane request it again. */
  | {readonly kind: 'name'; readonly request: CoreRequest; readonly derived: string}

/** Several requests for one repository. */
export interface DuplicateRequests {
  readonly kind: 'requests'
  readonly repository: string
  readonly kept: CoreRequest
  /** Why this one. */
  readonly because: 'owner' | 'by-user' | 'older'
  /** The objects that it owns. */
  readonly owned: number
  readonly others: readonly CoreRequest[]
  /** What Kubernetes would delete together with the others: if anything, they must not be deleted. */
  readonly lost: readonly OwnedObject[]
}

/** Finds all problems of a Lock. `owned` are the objects of packages, needed if there are several requests for one package. */
export function lockProblems(state: CoreState, owned: readonly OwnedObject[]): readonly LockProblem[] {
  const {entries, problem} = state.lock
  const moves = unfinishedMoves(state)
  const isOfMove = (repository: string) =>
    isMoving(
      entries.filter(entry => entry.repository === repository),
      state,
    )
  const repeated = duplicateRepositories(state)
  const duplicates = repeated
    .filter(repository => !isOfMove(repository))
    .flatMap(one => duplicatesOf(one, state, owned))
  const cycles = cyclesIn(entries)
  // Of a move, only that the Lock has its package twice explains a failure.
  const isExplained =
    problem === undefined || duplicates.length + cycles.length > 0 || repeated.some(isOfMove)
  return [
    ...moves.map(move => ({kind: 'move' as const, move})),
    ...duplicates,
    ...cycles.map(repositories => ({kind: 'cycle' as const, repositories})),
    ...(isExplained ? [] : [{kind: 'failure' as const, message: problem}]),
    ...otherNames(state, new Set(duplicates.map(({repository}) => repository))),
  ]
}

/** Lists the repositories that the Lock has several times. */
export function duplicateRepositories({lock}: Pick<CoreState, 'lock'>): readonly string[] {
  const all = lock.entries.map(({repository}) => repository)
  return [...new Set(all.filter((repository, index) => all.indexOf(repository) !== index))].sort(compareText)
}

/** Returns the requests that another one for the same repository is kept for: as a repair would, or else the first one. */
export function duplicatesIn(
  {requests}: Pick<CoreState, 'requests'>,
  problems: readonly LockProblem[],
): readonly CoreRequest[] {
  const repaired = problems.flatMap(problem => (problem.kind === 'requests' ? problem.others : []))
  const left = requests.filter(request => !repaired.includes(request))
  const isFirst = (request: CoreRequest) =>
    left.find(({repository}) => repository === request.repository) === request
  return [...repaired, ...left.filter(request => !isFirst(request))]
}

type Duplicates = Extract<LockProblem, {readonly repository: string}>

function duplicatesOf(
  repository: string,
  state: CoreState,
  owned: readonly OwnedObject[],
): readonly Duplicates[] {
  const entries = state.lock.entries.filter(entry => entry.repository === repository)
  const pairs = entries.map(entry => ({entry, revision: revisionOf(entry, state.revisions)}))
  const leftover = pairs.flatMap(({entry, revision}) => (revision === undefined ? [entry] : []))
  const revisions = pairs.flatMap(({revision}) => revision ?? [])
  const requests = state.requests.filter(({kind, name}) =>
    revisions.some(revision => revision.kind === kind && revision.request === name),
  )
  const problems: Duplicates[] =
    leftover.length === 0 ? [] : [{kind: 'leftover', repository, entries: leftover}]
  if (requests.length > 1) problems.push(severalRequests(repository, requests, state, owned))
  for (const request of requests) {
    const own = revisions.filter(({kind, request: name}) => kind === request.kind && name === request.name)
    const [kept, ...others] = own.sort((a, b) => b.number - a.number)
    if (kept !== undefined && others.length > 0) problems.push({kind: 'revisions', repository, kept, others})
  }
  return problems
}

function revisionOf({kind, name}: LockEntry, revisions: readonly CoreRevision[]): CoreRevision | undefined {
  return revisions.find(revision => revision.kind === kind && revision.name === name)
}

/** Keeps one without which nothing is lost; of several, the owner of most objects, one of a user, the older one. */
function severalRequests(
  repository: string,
  requests: readonly CoreRequest[],
  state: CoreState,
  owned: readonly OwnedObject[],
): DuplicateRequests {
  const choices = requests.map(kept => {
    const others = requests.filter(other => other !== kept)
    const uids = ownerUids(kept, state.revisions)
    const own = owned.filter(({owners}) => owners.some(uid => uids.includes(uid)))
    return {kept, others, owned: own.length, lost: lostObjects(others, state, owned)}
  })
  const [best, next] = choices.sort(
    (a, b) =>
      Number(a.kept.isTerminating) - Number(b.kept.isTerminating) ||
      Math.sign(a.lost.length) - Math.sign(b.lost.length) ||
      b.owned - a.owned ||
      Number(a.kept.isByCore) - Number(b.kept.isByCore) ||
      compareText(a.kept.created, b.kept.created) ||
      compareText(a.kept.name, b.kept.name),
  )
  if (best === undefined) throw new RangeError(`no request for ${repository}`)
  const isByUser = !best.kept.isByCore && next?.kept.isByCore === true
  const because = best.owned > 0 ? 'owner' : isByUser ? 'by-user' : 'older'
  return {kind: 'requests', repository, because, ...best}
}

function cyclesIn(entries: readonly LockEntry[]): readonly (readonly string[])[] {
  const required = new Map(entries.map(({repository, dependencies}) => [repository, dependencies] as const))
  const done = new Set<string>()
  const cycles: string[][] = []
  const visit = (repository: string, path: readonly string[]) => {
    const start = path.indexOf(repository)
    if (start !== -1) cycles.push([...path.slice(start), repository])
    if (start !== -1 || done.has(repository)) return
    for (const next of required.get(repository) ?? []) visit(next.repository, [...path, repository])
    done.add(repository)
  }
  for (const {repository} of entries) visit(repository, [])
  return cycles
}

function otherNames(
  {requests, lock}: CoreState,
  excluded: ReadonlySet<string>,
): readonly (LockProblem & {readonly kind: 'name'})[] {
  const required = new Set(
    lock.entries.flatMap(({dependencies}) => dependencies.map(({repository}) => repository)),
  )
  return requests
    .map(request => ({kind: 'name' as const, request, derived: derivedName(request.repository)}))
    .filter(({request: {name, repository}, derived}) => {
      return name !== derived && required.has(repository) && !excluded.has(repository)
    })
}
