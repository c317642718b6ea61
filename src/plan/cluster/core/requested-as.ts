import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import {isDigest} from '../../../reference/image-name.js'
import {isVersion} from '../../../reference/newest-version.js'
import {CORE_MANAGER, type CoreRequest} from '../state/core-state.js'
import {packageManagers} from './read-core-object.js'

/**
 * The annotation on requests that a user made, unlike those for dependencies: the tag, digest or constraint, or nothing.
 * Only what is applied to a cluster has it.
 */
export const REQUESTED_AS = 'kubectl-crossplane/requested-as'

/**
 * Returns the tag, digest or constraint that the user requested; undefined for a dependency and for requests of others. Where another
 * manager has set the package since, such as Argo CD from a later commit, an earlier tag or digest is no longer what is requested.
 */
export function requestedAs({
  object,
  tag,
  digest,
}: Pick<CoreRequest, 'object' | 'tag' | 'digest'>): string | undefined {
  const as = isOurs(object) ? object.metadata.annotations?.[REQUESTED_AS] : undefined
  if (as === undefined || !isExact(as) || !isReplaced(object)) return as
  return tag ?? digest ?? as
}

/** Any other text is a constraint, or empty: another version in a commit does not contradict it. */
function isExact(as: string): boolean {
  return isDigest(as) || isVersion(as)
}

/** Reports whether a manager has set the package in place of this program. Crossplane itself only selects versions of dependencies. */
function isReplaced(object: KubernetesObject): boolean {
  const managers = packageManagers(object)
  return !managers.includes(CONTENT_MANAGER) && managers.some(manager => manager !== CORE_MANAGER)
}

/** Reports whether this program applied a request. */
export function isOurs(object: KubernetesObject): boolean {
  return isAppliedBy(object, CONTENT_MANAGER)
}
