import type {ClusterApi} from '../../cluster/api/cluster-api.js'
import {CRD_KIND} from '../../kubernetes/crd-kind.js'
import {ERAS} from '../../render/era.js'
import {type Claim, claimsIn, MANAGED_BY_LABEL} from '../../render/labels.js'

/** Finds the claims on the CRDs of a cluster, those of a namespace or all. Throws the errors of the API. */
export async function listClaims(api: ClusterApi, namespace: string | undefined): Promise<readonly Claim[]> {
  const managers = Object.values(ERAS).map(({managedBy}) => managedBy)
  const options = {labelSelector: `${MANAGED_BY_LABEL} in (${managers.join(',')})`, metadataOnly: true}
  const claims: Claim[] = []
  for await (const {metadata} of api.list(CRD_KIND, options)) claims.push(...claimsIn(metadata.labels ?? {}))
  return claims.filter(claim => (namespace ?? claim.namespace) === claim.namespace)
}
