import {CrossplaneError, type ErrorCode} from '../../errors.js'

const BROKEN: readonly ErrorCode[] = [
  'index-invalid',
  'source-invalid',
  'unsupported',
  'limit-exceeded',
  'digest-mismatch',
  'not-found',
]

/** Returns the error if it concerns one document of an index; throws any other, such as a network error. */
export function brokenDocument(error: unknown): CrossplaneError {
  if (error instanceof CrossplaneError && BROKEN.includes(error.code)) return error
  throw error
}
