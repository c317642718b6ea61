import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {isAppliedBy, CONTENT_MANAGER} from '../../../cluster/claims.js'
import type {CoreRequest} from '../state/core-state.js'

/**
 * The annotation on requests that a user made, unlike those for dependencies: the tag, digest or constraint, or nothing.
 * Only what is applied to a cluster has it.
 */
export const REQUESTED_AS = 'kubectl-crossplane/requested-as'

/** Returns the tag, digest or constraint that the user requested; undefined for a dependency and for requests of others. */
export function requestedAs({object}: Pick<CoreRequest, 'object'>): string | undefined {
  return isOurs(object) ? object.metadata.annotations?.[REQUESTED_AS] : undefined
}

/** Reports whether this program applied a request. */
export function isOurs(object: KubernetesObject): boolean {
  return isAppliedBy(object, CONTENT_MANAGER)
}
