import {asObject, type KubernetesObject} from 'kubectl-crossplane/plugin'
import {referenceIn, refersTo} from '../model/references.js'
import type {Store} from '../model/store.js'
import type {Service} from '../services.js'

/** Returns the managed resources that name a claim, whether or not the claim names them. */
export function claimedBy(
  claim: KubernetesObject,
  services: readonly Service[],
  store: Store,
): readonly KubernetesObject[] {
  return services
    .flatMap(({managed}) => store.list(managed))
    .filter(({spec}) => refersTo(referenceIn(asObject(spec).claimRef), claim))
}
