import type {Diagnostic} from '../../../diagnostic.js'
import {canonicalName} from '../../../reference/repository-name.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {requestName} from '../../../reference/named.js'
import {escaped, shellWord} from '../../../text.js'
import {hasProtection, LEAVING} from '../../../declaration/moving-objects.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {type OwnedObject, ownerUids} from './lock/lost-objects.js'
import {requestText} from './lock/problem-texts.js'
import {isManual} from './move-operations.js'
import {rejection, unknownUseText} from './moved-package.js'
import {requiring} from './recorded-requires.js'

/** A request that both commits of a move left in a cluster, and the one that has its package now. */
export interface LeftPair {
  readonly from: CoreRequest
  readonly to: CoreRequest
}

/** Returns the requests that left a tree and not this cluster, also those of other trees: commits stopped them, and protect them from pruning. */
export function leftRequests(
  staying: Pick<ReadonlySet<string>, 'has'>,
  {requests}: Pick<CoreState, 'requests'>,
): readonly CoreRequest[] {
  return requests.filter(
    one =>
      one.kind === 'Provider' &&
      !one.isTerminating &&
      !staying.has(one.name) &&
      isManual(one) &&
      hasProtection(one.object) &&
      one.object.metadata.annotations?.[LEAVING] !== undefined,
  )
}

/** The request to which the package of a left one moved; undefined for commits of earlier versions, which name none. */
function movedTo({object}: CoreRequest): string | undefined {
  const name = object.metadata.annotations?.[LEAVING]
  return name === 'true' ? undefined : name
}

/**
 * Returns the packages that moved in the commits of a tree and not in this cluster, which is not the one that the move waited for: the former requests name those that have
 * their packages now. Commits of earlier versions name none: these have the same repository, or own the same CRDs, and one that has no CRDs, such as that of a family, is known by what its
 * members require. Empty where one of them is not known.
 */
export function leftPairs(
  staying: ReadonlySet<string>,
  core: CoreState,
  owned: readonly OwnedObject[],
): readonly LeftPair[] {
  const {pairs, unpaired} = pairedRequests(staying, core, owned)
  return unpaired.length === 0 ? pairs : []
}

function pairedRequests(
  staying: ReadonlySet<string>,
  core: CoreState,
  owned: readonly OwnedObject[],
): {readonly pairs: readonly LeftPair[]; readonly unpaired: readonly CoreRequest[]} {
  const providers = core.requests.filter(({kind, isTerminating}) => kind === 'Provider' && !isTerminating)
  // Those that name a request of another tree are of a move of that one.
  const leaving = leftRequests(staying, core).filter(one => staying.has(movedTo(one) ?? '') || isUnnamed(one))
  const crds = owned.filter(({kind}) => kind === 'CustomResourceDefinition')
  const crdsOf = (request: CoreRequest) => {
    const uids = new Set(ownerUids(request, core.revisions))
    return new Set(crds.filter(({owners}) => owners.some(uid => uids.has(uid))).map(({name}) => name))
  }
  const next = providers.filter(({name}) => staying.has(name)).map(one => ({one, own: crdsOf(one)}))
  const alikeOf = (from: CoreRequest) => {
    const own = crdsOf(from)
    // Crossplane installs neither of two requests of one repository, so that the new one has no CRDs yet.
    const same = next.filter(({one}) => canonicalName(one.repository) === canonicalName(from.repository))
    return same.length > 0 ? same : next.filter(other => [...other.own].some(name => own.has(name)))
  }
  const byRequests = leaving.flatMap(from => {
    const to = isUnnamed(from) ? alikeOf(from) : next.filter(({one}) => one.name === movedTo(from))
    return to.length === 1 && to[0] !== undefined ? [{from, to: to[0].one}] : []
  })
  const requires = requiring(core)
  const byMembers = leaving
    .filter(from => isUnnamed(from) && byRequests.every(pair => pair.from !== from))
    .flatMap(from => {
      const members = byRequests.filter(pair => requires(pair.from, from))
      const to = next.filter(({one}) => members.length > 0 && members.every(pair => requires(pair.to, one)))
      return to.length === 1 && to[0] !== undefined ? [{from, to: to[0].one}] : []
    })
  const all = [...byMembers, ...byRequests]
  const pairs = all.filter(one => all.every(other => other === one || other.to !== one.to))
  return {pairs, unpaired: leaving.filter(from => pairs.every(pair => pair.from !== from))}
}

function isUnnamed(request: CoreRequest): boolean {
  return movedTo(request) === undefined
}

/** Says why a request that left a tree cannot be handed over in this cluster, where none can: those of this tree come first. */
export function leftProblem(
  staying: ReadonlySet<string>,
  core: CoreState,
  owned: readonly OwnedObject[],
): Diagnostic | undefined {
  const {unpaired} = pairedRequests(staying, core, owned)
  const [request] = [...unpaired, ...leftRequests(staying, core)]
  if (request === undefined) return undefined
  const to = movedTo(request)
  const status = `kubectl crossplane package status ${shellWord(requestName(request))}`
  const isThere = core.requests.some(
    ({kind, name, isTerminating}) => kind === 'Provider' && name === to && !isTerminating,
  )
  if (to === undefined || (staying.has(to) && isThere))
    return unfinished(
      `${requestText(request)} is left of a move that is not finished in this cluster, and it is not known which request has its package now`,
      [
        OTHER_PATH,
        'If the last commit of that move was made: make its revision inactive, and delete this request once another one has its package and is healthy.',
        status,
      ],
    )
  const left = `${requestText(request)} is left of a move to ${requestText({kind: 'Provider', name: to})}`
  return staying.has(to)
    ? unfinished(`${left}, which the commits of this path have, and this cluster does not have yet`, [
        'Wait until the cluster has synced the last commit, and run the command again.',
        status,
      ])
    : unfinished(
        `${left}, which the commits of this path do not have: those of another repository or path may have it`,
        [OTHER_PATH, status],
      )
}

const OTHER_PATH = 'Pass --git and --path as for the command that began it.'

function unfinished(message: string, suggestions: readonly string[]): Diagnostic {
  return rejection('xpkg-move-unfinished', message, suggestions)
}

/** Says that a request has none of the CRDs of the one whose package it is said to have: anyone who may change that one can write the annotation. */
export function otherPackageRejections(
  {from, to}: LeftPair,
  crds: readonly KubernetesObject[],
  objects: readonly {readonly kind: string; readonly name: string}[],
): readonly Diagnostic[] {
  const names = new Set(crds.map(({metadata}) => metadata.name))
  const isShared = objects.some(({kind, name}) => kind === 'CustomResourceDefinition' && names.has(name))
  if (names.size === 0 || isShared) return []
  return [
    rejection(
      'xpkg-move-unsupported',
      `${escaped(to.reference)} has none of the CRDs of ${requestText(from)}, and is another package`,
      [`kubectl crossplane package status ${shellWord(requestName(from))}`],
    ),
  ]
}

/** Says which requests Crossplane has not looked at yet: their revisions are not known. */
export function unreadyRejections(pairs: readonly LeftPair[]): readonly Diagnostic[] {
  return pairs
    .filter(({to}) => to.revision === undefined || to.isTerminating)
    .map(({to}) =>
      rejection('xpkg-not-healthy', `${requestText(to)} has no revision yet`, [
        `kubectl crossplane package status ${shellWord(requestName(to))}`,
      ]),
    )
}

/** Nothing goes back from here, so that what is not known is no risk to take. */
export function unreadRejection(to: CoreRequest, reason: string): Diagnostic {
  return rejection('xpkg-use-unknown', unknownUseText(to.reference, reason), [
    'Run the command again once the package can be read.',
  ])
}
