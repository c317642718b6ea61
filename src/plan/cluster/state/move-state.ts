import {asObject, asText, type JsonObject, type JsonValue} from '../../../yaml/json-value.js'
import {parsedJson} from '../../../yaml/parsed-json.js'
import {present} from '../../../present.js'
import {CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import type {CoreRequest, CoreState, LockEntry, RequestKind} from './core-state.js'

/** The annotation on a request to which a package moves, as long as the move is not finished: all that is needed to go on, or back. */
export const MOVE = 'kubectl-crossplane/move'

/** The field manager of what a move changes for a time: the activation policy of a request, and the states of revisions. */
export const MOVE_MANAGER = 'crossplane-packages-move'

/** What a move records of the former request, and of the revision that the package gets. */
export interface MoveRecord {
  /** The name of the new request. */
  readonly to: string
  /** `REPOSITORY:TAG` of the new request. */
  readonly reference: string
  /** The name of the former request. */
  readonly from: string
  /** The name of its revision. */
  readonly former: string
  /** Its `spec`, by which it can be made again. */
  readonly spec: JsonObject
  /** The name that Crossplane gives to the revision of the new request. */
  readonly revision: string
  /** The place of the package among those that move together: what others require comes first. */
  readonly order: number
  /** Whether both requests are in Git: then commits change their settings, and only they. */
  readonly inGit?: true
  /** What a user requested of the former one, if a user did. */
  readonly requestedAs?: string
  /** What requires packages of the move, and changes its version with them; the first record has it. */
  readonly requirers?: readonly MovedRequirer[]
}

/** A request that requires a package of a move: another version of it requires the package in its new place. */
export interface MovedRequirer {
  readonly kind: RequestKind
  readonly name: string
  readonly from: RequirerVersion
  readonly to: RequirerVersion
}

/** A version of a package that requires another one. */
export interface RequirerVersion {
  /** `REPOSITORY:TAG` */
  readonly reference: string
  /** The name that Crossplane gives to its revision. */
  readonly revision: string
  /** What a user requested, if a user did. */
  readonly requestedAs?: string
}

/** A package of a move that is not finished. */
export interface UnfinishedMove {
  readonly to: Pick<CoreRequest, 'kind' | 'name' | 'repository'>
  /** The new request, if it exists with the package. */
  readonly live?: CoreRequest
  /** Whether the new request has the annotation: it has none any more once all packages have moved. */
  readonly isMarked: boolean
  readonly record: MoveRecord
}

/**
 * Returns the packages of moves that were interrupted, in the order in which they are requested: also those that have no new request
 * yet, or none any more, since each new request has the records of all packages that move together.
 */
export function unfinishedMoves({requests}: Pick<CoreState, 'requests'>): readonly UnfinishedMove[] {
  const marked = requests.flatMap(to => moveRecords(to).map(record => ({kind: to.kind, record})))
  const all = new Map(marked.map(({kind, record}) => [`${kind}/${record.to}`, {kind, record}]))
  return [...all.values()]
    .sort((a, b) => a.record.order - b.record.order)
    .map(({kind, record}) => {
      const repository = record.reference.slice(0, record.reference.lastIndexOf(':'))
      const live = requests.find(
        one => one.kind === kind && one.name === record.to && one.repository === repository,
      )
      const isMarked = live !== undefined && moveRecords(live).length > 0
      return {to: {kind, name: record.to, repository}, isMarked, record, ...present({live})}
    })
}

/** Returns the command that goes on with an unfinished move, or back. */
export function moveCommand(flag: '--continue' | '--back'): string {
  return flag === '--continue'
    ? 'kubectl crossplane package move --continue'
    : 'kubectl crossplane package move --back'
}

/**
 * Returns the commands that go on with an unfinished move, or back: where commits made it, with their repository. Nothing goes back once
 * the last commit is made, as in a further cluster of the same tree: `isEnded` says that it is, where that is known.
 */
export function moveWays(
  {record}: {readonly record: Pick<MoveRecord, 'inGit'>},
  isEnded?: boolean,
): readonly string[] {
  if (record.inGit !== true) return [moveCommand('--continue'), moveCommand('--back')]
  const on = 'kubectl crossplane package move --continue --git REPOSITORY --context CONTEXT'
  if (isEnded === true) return [on]
  return [
    on,
    isEnded === false
      ? 'kubectl crossplane package move --back --git REPOSITORY --context CONTEXT'
      : 'Before the last commit of the move: kubectl crossplane package move --back --git REPOSITORY --context CONTEXT',
  ]
}

/** The names of two requests between which a package moves. */
export type MovingPair = readonly [from: string, to: string]

/** Reports whether entries of the Lock are those of one package that moves between two requests; `pairs` are not marked yet. */
export function isMoving(
  entries: readonly LockEntry[],
  {requests, revisions}: Pick<CoreState, 'requests' | 'revisions'>,
  pairs: readonly MovingPair[] = [],
): boolean {
  const names = new Set(
    entries.map(
      entry => revisions.find(({kind, name}) => kind === entry.kind && name === entry.name)?.request ?? '',
    ),
  )
  const marked = unfinishedMoves({requests}).map(({to, record}) => [record.from, to.name] as const)
  return names.size > 0 && [...pairs, ...marked].some(pair => [...names].every(name => pair.includes(name)))
}

/** Writes the records of all packages that move together as the value of the annotation. */
export function moveText(all: readonly MoveRecord[]): string {
  return JSON.stringify(all)
}

/** A value that a user wrote is not a record: this program has to have applied the request, and the request has to be one of them. */
function moveRecords({kind, name, object}: CoreRequest): readonly MoveRecord[] {
  const text = object.metadata.annotations?.[MOVE]
  if (text === undefined || kind !== 'Provider' || !isAppliedBy(object, CONTENT_MANAGER)) return []
  const list = parsedJson(text)
  const records = Array.isArray(list) ? list.map(moveRecord) : []
  const all = records.flatMap(record => record ?? [])
  return all.length === records.length && all.some(record => record.to === name) ? all : []
}

function moveRecord(value: JsonValue): MoveRecord | undefined {
  const {to, reference, from, former, spec, revision, order, requestedAs, inGit, requirers} = asObject(value)
  const record = {
    ...{to: asText(to), reference: asText(reference), from: asText(from), former: asText(former)},
    ...{spec: asObject(spec), revision: asText(revision), order: typeof order === 'number' ? order : 0},
  }
  const needed = [record.to, record.reference, record.from, record.revision, asText(record.spec.package)]
  const changed = requirers === undefined ? undefined : movedRequirers(requirers)
  if (needed.includes('') || record.from === record.to || (requirers !== undefined && changed === undefined))
    return undefined
  return {
    ...record,
    ...(inGit === true ? {inGit} : {}),
    ...present({requestedAs: typeof requestedAs === 'string' ? requestedAs : undefined}),
    ...present({requirers: changed}),
  }
}

/** Returns undefined if one of them cannot be what a move recorded. */
function movedRequirers(value: JsonValue): readonly MovedRequirer[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list = (value as readonly JsonValue[]).map(one => movedRequirer(asObject(one)))
  const all = list.flatMap(one => one ?? [])
  return all.length === list.length ? all : undefined
}

/** Only the version of a Configuration changes with a move, and never its package. */
function movedRequirer({kind, name, from, to}: JsonObject): MovedRequirer | undefined {
  const [former, next] = [requirerVersion(asObject(from)), requirerVersion(asObject(to))]
  if (kind !== 'Configuration' || asText(name) === '' || former === undefined || next === undefined)
    return undefined
  if (!isSamePlace(former, next)) return undefined
  return {kind, name: asText(name), from: former, to: next}
}

function isSamePlace(...versions: readonly RequirerVersion[]): boolean {
  const places = versions.map(({reference}) => TAGGED.exec(reference)?.groups?.repository)
  return places.every(place => place !== undefined && place === places[0])
}

/** `REPOSITORY:TAG` */
const TAGGED = /^(?<repository>[^@]+):[^/:@]+$/u

function requirerVersion({reference, revision, requestedAs}: JsonObject): RequirerVersion | undefined {
  if (asText(reference) === '' || asText(revision) === '') return undefined
  return {
    ...{reference: asText(reference), revision: asText(revision)},
    ...present({requestedAs: typeof requestedAs === 'string' ? requestedAs : undefined}),
  }
}
