import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import type {Lock} from '../../declaration/lock.js'
import type {MovingRequest} from '../../declaration/moving.js'
import type {RenderedSets} from '../../package/rendered-sets.js'
import {leavingRequests, withMoved, withMovedNames} from '../../plan/declaration/moved-requests.js'
import {movingObjects, withObjects} from '../../render/xpkg/moving-objects.js'
import type {HeldLock} from '../../resolve/lock/held-lock.js'
import {type HomeFiles, noDeclaration} from '../home/committed-home.js'
import {withContent} from '../request/input-files.js'
import type {RequestPorts} from '../request/read-request.js'
import type {GitQuery} from './git-request.js'

type MoveRequest = Extract<GitQuery['request'], {readonly kind: 'move'}>

/** Returns the declaration of a move, and the lock to resolve it with. Throws as `withMoved` does. */
export function movedDeclaration(
  {stage, moves}: MoveRequest,
  file: DeclarationFile,
  before: HeldLock | undefined,
): {readonly text: string; readonly lock: HeldLock} {
  if (before === undefined) throw noDeclaration(file.name)
  const {lock} = before
  const {moving: _former, ...others} = lock
  const text = stage === 'end' ? Buffer.from(file.bytes).toString() : withMoved(file, lock, moves).text
  return {text, lock: {...before, lock: withMovedNames(others, moves), replaced: lock}}
}

/** Returns the lock of a resolution: the packages that a move hands over are not those of before. */
export function resolvedLock({request}: Pick<GitQuery, 'request'>, lock: Lock): Lock {
  return request.kind === 'move' ? lockWithMoving(lock, []) : lock
}

/** The texts of a declaration and its lock. */
export interface HomeTexts {
  readonly text: string
  readonly lock: string
}

/** Returns inputs in which the files of a home have these texts. */
export function withHome(
  inputs: RequestPorts['inputs'],
  {declaration: {name, split}, lock: {name: lockName}}: HomeFiles,
  {text, lock}: HomeTexts,
): RequestPorts['inputs'] {
  return withContent(withContent(inputs, name, text, split !== undefined), lockName, lock)
}

/**
 * Returns what a home keeps of requests from which packages move: what a begun move leaves, and nothing at its end; undefined for other
 * requests, which leave that as it is. Throws as `leavingRequests` does.
 */
export async function movingOf(
  {request}: Pick<GitQuery, 'request'>,
  {declaration: {name, bytes = Buffer.from('')}, lock: lockFile}: HomeFiles,
  {lock, sets}: {readonly lock: Lock | undefined; readonly sets: RenderedSets},
  render: (texts: HomeTexts) => Promise<RenderedSets>,
): Promise<readonly MovingRequest[] | undefined> {
  if (request.kind !== 'move') return undefined
  if (request.stage === 'end' || lock === undefined) return []
  const {moves} = request
  const objectsOf = ({xpkgs}: RenderedSets) => (xpkgs?.objects ?? []).map(({object}) => object)
  const {entries} = withMoved({name, bytes}, lock, moves)
  const before = await render({
    text: Buffer.from(bytes).toString(),
    lock: Buffer.from(lockFile.bytes ?? Buffer.from('')).toString(),
  })
  return leavingRequests(moves, {entries, lock}, [objectsOf(before), objectsOf(sets)])
}

/** Adds what stays of former requests to a set. */
export function withMoving(
  {xpkgs, ...sets}: RenderedSets,
  moving: readonly MovingRequest[] = [],
): RenderedSets {
  return xpkgs === undefined ? sets : {...sets, xpkgs: withObjects(xpkgs, movingObjects(moving))}
}

/** Returns a lock with what a home keeps of former requests; undefined keeps that of the lock. */
export function lockWithMoving(lock: Lock, moving: readonly MovingRequest[] | undefined): Lock {
  if (moving === undefined) return lock
  const {moving: _former, ...others} = lock
  return moving.length === 0 ? others : {...others, moving}
}
