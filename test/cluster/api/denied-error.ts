import {ClusterFailure} from '../../../src/cluster/api/cluster-failure.js'
import {CrossplaneError} from '../../../src/errors.js'

/** The error of a request that RBAC forbids; `reason` is the text of the server. */
export function deniedError(message: string, reason: string): CrossplaneError {
  const status = {reason: 'Forbidden', message: reason, causes: []}
  const cause = new ClusterFailure('PATCH /', {status: 403, headers: {}}, status)
  return new CrossplaneError('cluster-denied', message, {cause})
}
