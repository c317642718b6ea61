import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {appliedEntry, CONTENT_MANAGER, isAppliedBy} from '../../../cluster/claims.js'
import {isDigest} from '../../../reference/image-name.js'
import {isVersion} from '../../../reference/newest-version.js'
import {asObject, asObjects, type JsonObject} from '../../../yaml/json-value.js'
import {CORE_MANAGER, type CoreRequest} from '../state/core-state.js'

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

/** A constraint, or any version, can be what a commit has, too. */
function isExact(as: string): boolean {
  return isDigest(as) || isVersion(as)
}

/** Reports whether a manager has set the package in place of this program. Crossplane itself only selects versions of dependencies. */
function isReplaced(object: KubernetesObject): boolean {
  const own = appliedEntry(object, CONTENT_MANAGER)
  if (own?.fieldsV1 === undefined || hasPackage(own)) return false
  const {managedFields} = asObject(object.metadata)
  return asObjects(managedFields).some(entry => entry.manager !== CORE_MANAGER && hasPackage(entry))
}

function hasPackage({fieldsV1}: JsonObject): boolean {
  return Object.hasOwn(asObject(asObject(fieldsV1)['f:spec']), 'f:package')
}

/** Reports whether this program applied a request. */
export function isOurs(object: KubernetesObject): boolean {
  return isAppliedBy(object, CONTENT_MANAGER)
}
