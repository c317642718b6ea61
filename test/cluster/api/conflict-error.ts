import {ClusterFailure} from '../../../src/cluster/api/cluster-failure.js'
import {CrossplaneError} from '../../../src/errors.js'

/** The error of a write to an object that changed since it was read. */
export function conflictError(message: string): CrossplaneError {
  const status = {reason: 'Conflict', message, causes: []}
  const cause = new ClusterFailure('PATCH /', {status: 409, headers: {}}, status)
  return new CrossplaneError('conflict', message, {cause})
}
