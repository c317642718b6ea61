import type {DeclarationFile} from '../../declaration/edit-declaration.js'
import {type Lock, type LockedXpkg, lockedName} from '../../declaration/lock.js'
import type {MovingRequest} from '../../declaration/moving.js'
import {keptAnnotations, KEPT_KINDS} from '../../declaration/moving-objects.js'
import {readDeclaration} from '../../declaration/read-declaration.js'
import {withRequest} from '../../declaration/with-request.js'
import {CrossplaneError} from '../../errors.js'
import type {KubernetesObject} from '../../kubernetes/kubernetes-object.js'
import {nameOf, objectKey} from '../../kubernetes/object-key.js'
import {present} from '../../present.js'
import {escaped, listNames} from '../../text.js'
import {derivedName} from '../../xpkg/package-name.js'
import {asObject, asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {declaredEntries} from './declared-names.js'

/** A request from which a package moves, and what its entry of the declaration gets. */
export interface MovedRequest extends Pick<MovingRequest, 'from' | 'to' | 'isBack'> {
  /** The package and the name of its entry; those of a package that only others require follow from these. */
  readonly entry?: NonNullable<MovingRequest['entry']>
  /** The package to which it goes back, as it was locked: a tag that has moved since changes nothing. */
  readonly locked?: {readonly repository: string; readonly tag: string; readonly digest: string}
}

/** The declaration in which packages have moved, and what their entries had. */
interface MovedDeclaration {
  readonly text: string
  readonly entries: ReadonlyMap<string, NonNullable<MovingRequest['entry']>>
}

/** Returns the declaration in which packages have moved. Throws `git-refused` for a request that the lock does not have, and as `withRequest` does. */
export function withMoved(
  file: DeclarationFile,
  lock: Lock,
  moves: readonly MovedRequest[],
): MovedDeclaration {
  let text = new TextDecoder('utf-8', {ignoreBOM: true}).decode(file.bytes)
  const entries = new Map<string, NonNullable<MovingRequest['entry']>>()
  for (const {from, entry} of moves) {
    const current = {...file, bytes: Buffer.from(text)}
    const declared = entryOf(from, current, lock)
    if (declared === undefined || entry === undefined) continue
    const {index, reference, name} = declared
    entries.set(from, {package: reference, ...present({name})})
    text = withRequest(current, index, entry)
  }
  return {text, entries}
}

function entryOf(from: string, file: DeclarationFile, {xpkgs = []}: Lock) {
  const locked = xpkgs.find(one => lockedName(one) === from && one.kind === 'Provider')
  if (locked === undefined) {
    const message = `cannot move ${escaped(from)}: the lock of ${file.name} does not have this request`
    throw new CrossplaneError('git-refused', message, {
      suggestions: ['Move it without --git if no controller applies it from this repository.'],
    })
  }
  const declaration = readDeclaration(file.name, file.bytes)
  const own = declaredEntries(declaration, declaration.defaultSource).all.filter(
    ({identity}) => identity === locked.repository,
  )
  const [entry, other] = own
  if (other === undefined && entry?.range === undefined) return entry
  const why = other === undefined ? 'a range restricts its version' : 'several entries request it'
  throw new CrossplaneError('git-refused', `cannot move ${escaped(from)} in ${file.name}: ${why}`, {
    suggestions: [`Request ${locked.repository} by one entry with a tag first.`],
  })
}

/** Returns a lock to resolve with, in which requests have the names to which they move. */
export function withMovedNames(lock: Lock, moves: readonly MovedRequest[]): Lock {
  const names = new Map(moves.map(({from, to}) => [from, to]))
  const renamed = ({name: _former, ...xpkg}: LockedXpkg, name: string): LockedXpkg => ({
    ...xpkg,
    ...(name === derivedName(xpkg.repository) ? {} : {name}),
  })
  const xpkgs = lock.xpkgs?.map(xpkg => {
    const to = xpkg.kind === 'Provider' ? names.get(lockedName(xpkg)) : undefined
    return to === undefined ? xpkg : renamed(xpkg, to)
  })
  const former = moves.flatMap(lockedBefore)
  if (former.length === 0) return {...lock, ...present({xpkgs})}
  const back = new Set(former.map(({repository}) => repository))
  return {...lock, xpkgs: [...(xpkgs ?? []).filter(({repository}) => !back.has(repository)), ...former]}
}

/** Without a hash: what it requires and defines follows from its digest. */
function lockedBefore({to, locked}: MovedRequest): readonly LockedXpkg[] {
  if (locked === undefined) return []
  const {repository} = locked
  const own = {
    ...locked,
    kind: 'Provider',
    summaryHash: '',
    mode: 'requested',
    requires: {},
    more: {},
  } as const
  return [{...own, ...(to === derivedName(repository) ? {} : {name: to})}]
}

/**
 * Returns the requests that a tree keeps while packages move, with all that only they need: Crossplane activates none of their revisions, and no
 * controller deletes them. Throws `git-refused` where something else would leave the tree, or change for the way back.
 */
export function leavingRequests(
  moves: readonly MovedRequest[],
  {entries, lock: {xpkgs = []}}: {readonly entries: MovedDeclaration['entries']; readonly lock: Lock},
  [before, after]: readonly [readonly KubernetesObject[], readonly KubernetesObject[]],
): readonly MovingRequest[] {
  const staying = new Set(after.map(keyOf))
  const leaving = before.filter(object => !staying.has(keyOf(object)))
  const from = new Set(moves.map(one => one.from))
  const requests = leaving.filter(({kind}) => REQUESTS.has(kind))
  const others = requests.filter(({kind, metadata}) => kind !== 'Provider' || !from.has(metadata.name))
  if (others.length > 0 || requests.length !== from.size) throw othersLeave(others, moves)
  const own = moves.flatMap(({from: name}) => requests.find(({metadata}) => metadata.name === name) ?? [])
  return moves.map(({from: name, to, isBack}, order) => ({
    ...{from: name, to, order, isBack},
    ...present({
      entry: entries.get(name),
      digest: xpkgs.find(one => one.kind === 'Provider' && lockedName(one) === name)?.digest,
    }),
    objects: leaving
      .filter(object => KEPT_KINDS.has(object.kind) && ownerOf(object, own) === name)
      .map(object => kept(object, to)),
  }))
}

/** The request that an object is for, of those that leave; what is for several, such as a mirror, is with the first one. */
function ownerOf(object: KubernetesObject, requests: readonly KubernetesObject[]): string | undefined {
  return requests.find(request => object === request || isFor(object, asObject(request.spec)))?.metadata.name
}

function isFor(
  {kind, metadata, spec}: KubernetesObject,
  {package: reference, runtimeConfigRef}: JsonObject,
): boolean {
  if (kind === 'DeploymentRuntimeConfig') return asObject(runtimeConfigRef).name === metadata.name
  const [match] = asObjects(asObject(spec).matchImages)
  return kind === 'ImageConfig' && match !== undefined && asText(reference).startsWith(asText(match.prefix))
}

const REQUESTS: ReadonlySet<string> = new Set(['Provider', 'Function', 'Configuration'])

/** Also where a controller of one's own applies the tree, which has no annotations of a layout. */
function kept(object: KubernetesObject, to: string): KubernetesObject {
  const {kind, metadata, spec} = object
  const annotations = {...metadata.annotations, ...keptAnnotations(to)}
  const policy: JsonObject = REQUESTS.has(kind) ? {revisionActivationPolicy: 'Manual'} : {}
  return {...object, metadata: {...metadata, annotations}, spec: {...asObject(spec), ...policy}}
}

function keyOf(object: KubernetesObject): string {
  return objectKey(nameOf(object))
}

function othersLeave(others: readonly KubernetesObject[], moves: readonly MovedRequest[]): CrossplaneError {
  const names = others.map(({kind, metadata}) => `${kind.toLowerCase()}/${escaped(metadata.name)}`)
  const cause =
    names.length > 0
      ? `${listNames(names)} would leave the tree with the move`
      : `the tree requests ${listNames(moves.map(({from}) => escaped(from)))} also afterwards`
  return new CrossplaneError('git-refused', `cannot move: ${cause}`, {
    suggestions: ['Run kubectl crossplane package check first, and commit what it lists.'],
  })
}
