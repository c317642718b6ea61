import type {ErrorCode} from '../errors.js'

/** The exit status of each error code; the table of statuses is in the README. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  'reference-invalid': 2,
  'reference-incomplete': 2,
  'not-found': 1,
  unsupported: 1,
  'source-invalid': 1,
  'source-unsafe': 4,
  'limit-exceeded': 4,
  'digest-mismatch': 4,
  'package-invalid': 1,
  'input-invalid': 1,
  'permissions-refused': 4,
  conflict: 5,
  'output-refused': 5,
  'output-failed': 1,
}

export const USAGE = 2
export const INTERRUPTED = 130
