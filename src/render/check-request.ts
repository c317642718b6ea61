import {CrossplaneError} from '../errors.js'
import type {InstallRequest} from './request.js'
import {requestDiagnostics} from './request-diagnostics.js'
import {formatPath} from '../yaml/json-value.js'

/** Returns a request that a cluster would accept; throws `usage` with all its errors. */
export function checkedRequest(request: InstallRequest): InstallRequest {
  const faults = requestDiagnostics(request)
  if (faults.length === 0) return request
  const diagnostics = faults.map(({path, message}) => ({
    severity: 'error' as const,
    rule: 'request',
    field: formatPath(path),
    message,
  }))
  throw new CrossplaneError('usage', `invalid request for ${request.package ?? request.name}`, {
    diagnostics,
    suggestions: ['Fix the arguments and flags with these values.'],
  })
}
