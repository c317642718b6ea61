import type {LockedXpkg} from '../../../declaration/lock.js'
import {EMPTY_LOCK} from '../../../declaration/lock-document.js'
import type {CoreRequest, CoreState} from '../../../plan/cluster/state/core-state.js'
import {coreReference} from '../../../plan/cluster/core/read-core-object.js'
import {present} from '../../../present.js'
import {isDigest} from '../../../reference/image-name.js'
import type {ClosurePackage} from '../../../render/xpkg/closure.js'
import type {HeldLock} from '../../../resolve/lock/held-lock.js'
import {asObject, asText} from '../../../yaml/json-value.js'

/** Returns the tag of a request, or its digest. */
export function installedVersion({tag, digest}: Pick<CoreRequest, 'tag' | 'digest'>): string {
  return tag ?? digest ?? ''
}

/** Reports whether a selected version is what a request says: its tag, or the content of its digest, whose tag the cluster does not know. */
export function keepsVersion(
  request: Pick<CoreRequest, 'tag' | 'digest'>,
  {version, digest}: Pick<ClosurePackage, 'version' | 'digest'>,
): boolean {
  const isSameContent = request.tag === undefined && digest !== undefined && digest === request.digest
  return isSameContent || version === installedVersion(request)
}

/**
 * Returns the versions of a cluster as a lock to resolve with: what is installed stays as long as it fits, with the bytes that
 * the core has.
 * @param upgraded - the repositories that do not stay.
 */
export function clusterLock(
  {requests}: Pick<CoreState, 'requests'>,
  upgraded: HeldLock['upgraded'],
): HeldLock {
  return {
    name: 'the cluster',
    lock: {...EMPTY_LOCK, xpkgs: requests.filter(isUsable).map(lockedRequest)},
    upgraded,
    otherwise: 'take',
    remedy: 'kubectl crossplane package upgrade',
  }
}

function isUsable({tag, digest}: CoreRequest): boolean {
  return tag !== undefined || (digest !== undefined && isDigest(digest))
}

/** Returns a request as an entry of a lock. */
export function lockedRequest(request: CoreRequest): LockedXpkg {
  const {repository, kind, name, tag} = request
  const digest = digestOf(request)
  return {
    repository,
    kind,
    name,
    ...present({tag, digest}),
    // Its content is unknown.
    summaryHash: '',
    mode: 'auto',
    requires: {},
    more: {},
  }
}

/** The bytes that the core has read, if it did not read a tag itself. */
function digestOf({digest, resolved = '', reference, object}: CoreRequest): string | undefined {
  const isCurrent = asText(asObject(object.status).currentIdentifier) === reference
  const read = digest ?? (isCurrent ? coreReference(resolved).digest : undefined)
  return read !== undefined && isDigest(read) ? read : undefined
}
