import {isNativeError} from 'node:util/types'
import type {CrossplaneError} from '../../errors.js'
import {showWarnings} from '../output/document/show.js'

/** Warns that a read of something that is watched failed, and is repeated. */
export function showReadFailure(
  {message, cause, suggestions}: CrossplaneError,
  argv: readonly string[],
): void {
  const reason = isNativeError(cause) && !message.includes(cause.message) ? `: ${cause.message}` : ''
  const warning = {
    severity: 'warning',
    rule: 'watch-failed',
    message: `${message}${reason}`,
    suggestions,
  } as const
  showWarnings({warnings: [warning]}, argv)
}
