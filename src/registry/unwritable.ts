import {CrossplaneError} from '../errors.js'
import {FailedAnswer} from './http/failed-answer.js'

/**
 * Whether a registry refused as those do that make no repositories on push: what is not there may not be written (403),
 * is not found, or allows no such method.
 */
export function isUnwritable(error: unknown): boolean {
  if (!(error instanceof CrossplaneError)) return false
  if (error.code === 'access-denied' || error.code === 'not-found') return true
  const {cause} = error
  return cause instanceof FailedAnswer && (cause.status === 405 || cause.message.includes('NAME_UNKNOWN'))
}
