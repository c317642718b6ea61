import {type ClusterApi, CrossplaneError} from 'kubectl-crossplane/plugin'
import {kindText} from '../model/kinds.js'
import type {Service} from '../services.js'
import {claimKinds, requiredKinds} from './watched-kinds.js'

/** Rejects kinds that the cluster does not serve, and those whose status it would not store: nothing could be bound. */
export async function checkKinds(
  services: readonly Service[],
  api: Pick<ClusterApi, 'resource'>,
): Promise<void> {
  const withStatus = [...claimKinds(services), ...services.map(({managed}) => managed)]
  for (const kind of requiredKinds(services)) {
    const resource = await api.resource(kind, true)
    if (resource === undefined) {
      const message = `cannot run services: the cluster does not serve ${kindText(kind)}`
      throw new CrossplaneError('not-found', message, {
        suggestions: ['Install the package that defines it, with its claims.'],
      })
    }
    if (resource.hasStatus || !withStatus.includes(kind)) continue
    const message = `cannot run services: the CRD of ${kindText(kind)} has no status subresource, so that its status is never stored`
    throw new CrossplaneError('unsupported', message, {
      suggestions: ['Add "subresources: {status: {}}" to the CRD of the package.'],
    })
  }
}
