import type {KubernetesObject} from '../../../kubernetes/kubernetes-object.js'
import {nameOf} from '../../../kubernetes/object-key.js'
import {asObject, asObjects, asText} from '../../../yaml/json-value.js'
import type {Operation} from '../../plan.js'
import {stateOf} from '../state/object-operation.js'
import {CLUSTER_TARGET} from '../state/cluster-target-name.js'
import type {CoreState} from '../state/core-state.js'
import {coreReference} from './read-core-object.js'
import {isOurs} from './requested-as.js'

/** Returns the prefixes that an ImageConfig matches. */
export function matchedPrefixes({spec}: KubernetesObject): readonly string[] {
  return asObjects(asObject(spec).matchImages).map(({prefix}) => asText(prefix))
}

/** Returns the prefix that an ImageConfig writes in place of those that it matches; empty if it rewrites none. */
export function rewriteTarget({spec}: KubernetesObject): string {
  return asText(asObject(asObject(spec).rewriteImage).prefix)
}

/** Returns the references that an ImageConfig rewrites. A pin that keeps a pull secret also matches what it rewrites them to. */
export function pinnedReferences(object: KubernetesObject): readonly string[] {
  return matchedPrefixes(object).filter(prefix => prefix !== rewriteTarget(object))
}

/**
 * Returns the operations that delete pins of repositories which nothing uses any more: no request, and no revision, of which
 * the core may return to one.
 * @param kept - references that are requested from now on.
 */
export function imageConfigRemovals(
  imageConfigs: readonly KubernetesObject[],
  repositories: ReadonlySet<string>,
  kept: ReadonlySet<string>,
  {requests, revisions}: Pick<CoreState, 'requests' | 'revisions'>,
): readonly Operation[] {
  const used = new Set([
    ...kept,
    ...requests.map(({reference}) => reference),
    ...revisions.map(({object}) => asText(asObject(object.spec).image)),
  ])
  return imageConfigs
    .filter(isOurs)
    .filter(object => {
      const references = pinnedReferences(object)
      const isOf = references.every(reference => repositories.has(coreReference(reference).repository))
      return references.length > 0 && isOf && !references.some(reference => used.has(reference))
    })
    .map(object => removal(object, 'no revision uses its tag any more'))
}

/** Returns the operation that deletes an object as it was read. */
export function removal(object: KubernetesObject, reason: string): Operation {
  return {
    action: 'delete',
    target: CLUSTER_TARGET,
    object: nameOf(object),
    reason,
    precondition: stateOf(object),
  }
}
