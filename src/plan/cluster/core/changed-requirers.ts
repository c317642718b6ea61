import type {Diagnostic} from '../../../diagnostic.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {escaped} from '../../../text.js'
import type {JsonObject} from '../../../yaml/json-value.js'
import {writeJson} from '../../../yaml/write-yaml.js'
import type {Operation} from '../../plan.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import type {CoreRequest, CoreState} from '../state/core-state.js'
import type {MovedRequirer, RequirerVersion} from '../state/move-state.js'
import {appliedSettings} from './applied-settings.js'
import {healthWait, lockWait} from './core-waits.js'
import {coreReference} from './read-core-object.js'
import {isChangeable} from './judge-package-object.js'
import {REQUESTED_AS, requestedAs} from './requested-as.js'

/** A request whose version changes with a move, so that it requires the package in its new place. */
export interface ChangedRequirer extends MovedRequirer {
  readonly live: CoreRequest
  /** What is said of its change. */
  readonly risks?: readonly Diagnostic[]
}

/** Returns the versions between which a request changes. What no program of a package manages is from then on as a user requested it. */
export function movedRequirer(live: CoreRequest, to: Omit<RequirerVersion, 'requestedAs'>): MovedRequirer {
  const {kind, name, reference, tag = '', revision = ''} = live
  const isDependency = requestedAs(live) === undefined && isChangeable(live.object, {adopt: false})
  const as = (text: string) => (isDependency ? {} : {requestedAs: text})
  return {
    ...{kind, name},
    from: {reference, revision, ...as(requestedAs(live) ?? tag)},
    to: {...to, ...as(coreReference(to.reference).tag ?? '')},
  }
}

/** Returns the requests that a move changes, in its direction: not those that are gone, or that a user changed to other versions. */
export function changedRequirers(
  requirers: readonly MovedRequirer[] = [],
  {requests}: Pick<CoreState, 'requests'>,
  isBack = false,
): readonly ChangedRequirer[] {
  return requirers.flatMap(({kind, name, ...own}) => {
    const live = requests.find(one => one.kind === kind && one.name === name)
    if (live === undefined || ![own.from.reference, own.to.reference].includes(live.reference)) return []
    const [from, to] = isBack ? [own.to, own.from] : [own.from, own.to]
    return [{kind, name, from, to, live}]
  })
}

/** Returns the steps after which a request requires the package in its new place, and no longer in its former one. */
export function requirerOperations(
  {live, from, to, risks = []}: ChangedRequirer,
  {lock}: Pick<CoreState, 'lock'>,
): readonly Operation[] {
  const isLocked = (revision: string) => lock.entries.some(({name}) => name === revision)
  const isChanged = live.reference === to.reference
  // What keeps its revision stays in the Lock.
  const isOther = from.revision !== to.revision
  return [
    ...(isChanged ? [] : [{...changeOperation(live, to), ...(risks.length === 0 ? {} : {risks})}]),
    ...(!isOther || (isChanged && isLocked(to.revision)) ? [] : [lockWait(to.revision, true)]),
    ...(!isOther || (isChanged && !isLocked(from.revision)) ? [] : [lockWait(from.revision, false)]),
    healthWait(live.object),
  ]
}

function changeOperation(live: CoreRequest, {reference, requestedAs: as}: RequirerVersion): Operation {
  const {apiVersion, kind, metadata} = live.object
  const annotations: Readonly<Record<string, JsonObject & Record<string, string>>> =
    as === undefined ? {} : {annotations: {[REQUESTED_AS]: as}}
  const content: KubernetesObject = {
    // With the UID, an apply never creates what a user deleted.
    ...{apiVersion, kind, metadata: {name: metadata.name, uid: live.uid, ...annotations}},
    spec: {...appliedSettings(live.object), package: reference},
  }
  return {
    ...{action: 'apply', target: CLUSTER_TARGET, object: nameOf(live.object)},
    reason: `${escaped(coreReference(reference).tag ?? '')} requires the package in its new place`,
    content: writeJson(content),
    ...{force: true, precondition: {uid: live.uid}},
  }
}
