import type {Diagnostic} from '../../../diagnostic.js'
import {canonicalName} from '../../../reference/repository-name.js'
import {requestName} from '../../../reference/named.js'
import {shellWord} from '../../../text.js'
import {LEAVING} from '../../../declaration/moving-objects.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import {type OwnedObject, ownerUids} from './lock/lost-objects.js'
import {requestText} from './lock/problem-texts.js'
import {isManual} from './move-operations.js'
import {rejection, unknownUseText} from './moved-package.js'
import {requirementsOf} from './recorded-requires.js'

/** A request that both commits of a move left in a cluster, and the one that has its package now. */
export interface LeftPair {
  readonly from: CoreRequest
  readonly to: CoreRequest
}

/** Returns the requests that left a tree and not this cluster: commits stopped them, and protect them from pruning. */
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
      one.object.metadata.annotations?.[LEAVING] !== undefined,
  )
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
  const providers = core.requests.filter(({kind, isTerminating}) => kind === 'Provider' && !isTerminating)
  const leaving = leftRequests(staying, core)
  const crds = owned.filter(({kind}) => kind === 'CustomResourceDefinition')
  const crdsOf = (request: CoreRequest) => {
    const uids = new Set(ownerUids(request, core.revisions))
    return new Set(crds.filter(({owners}) => owners.some(uid => uids.has(uid))).map(({name}) => name))
  }
  const next = providers.filter(({name}) => staying.has(name)).map(one => ({one, own: crdsOf(one)}))
  const byCrds = leaving.flatMap(from => {
    const own = crdsOf(from)
    const named = next.filter(({one}) => one.name === from.object.metadata.annotations?.[LEAVING])
    // Crossplane installs neither of two requests of one repository, so that the new one has no CRDs yet.
    const same = next.filter(({one}) => canonicalName(one.repository) === canonicalName(from.repository))
    const alike = same.length > 0 ? same : next.filter(other => [...other.own].some(name => own.has(name)))
    const to = named.length > 0 ? named : alike
    return to.length === 1 && to[0] !== undefined ? [{from, to: to[0].one}] : []
  })
  const {requirers} = requirementsOf(core)
  const requires = (one: CoreRequest, other: CoreRequest) =>
    requirers.some(
      ({repository, dependencies}) =>
        repository === one.repository && dependencies.some(entry => entry.repository === other.repository),
    )
  const byMembers = leaving
    .filter(from => byCrds.every(pair => pair.from !== from))
    .flatMap(from => {
      const members = byCrds.filter(pair => requires(pair.from, from))
      const to = next.filter(({one}) => members.length > 0 && members.every(pair => requires(pair.to, one)))
      return to.length === 1 && to[0] !== undefined ? [{from, to: to[0].one}] : []
    })
  // What others require comes first.
  const pairs = [...byMembers, ...byCrds]
  return pairs.length === leaving.length ? pairs : []
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
