import {CrossplaneError} from '../errors.js'
import {FailedAnswer} from '../http/failed-answer.js'

/**
 * Reports whether an error is one of registries that do not create repositories on push: authentication or permission
 * required for a missing repository, not found, or a method that is not allowed.
 */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof CrossplaneError)) return false
  if (error.code === 'access-denied' || error.code === 'not-found') return true
  const {cause} = error
  return cause instanceof FailedAnswer && (cause.status === 405 || cause.message.includes('NAME_UNKNOWN'))
}

/** Reports whether a registry rejected the credentials, or their absence (401). */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof CrossplaneError && error.cause instanceof FailedAnswer && error.cause.status === 401
}
