import {isNativeError} from 'node:util/types'
import type {CrossplaneError} from '../../../errors.js'
import {showWarnings} from './show.js'

/** Warns that a read of something that is watched failed, and is repeated. */
export function showReadFailure(
  {message, cause, suggestions}: CrossplaneError,
  argv: readonly string[],
): void {
  const reason = isNativeError(cause) && !says(message, cause.message) ? `: ${cause.message}` : ''
  const warning = {
    severity: 'warning',
    rule: 'watch-failed',
    message: `${message}${reason}`,
    suggestions,
  } as const
  showWarnings({warnings: [warning]}, argv)
}

/** Whether a message has its cause, or ends in the words of the system that its cause repeats with a code and a path. */
function says(message: string, cause: string): boolean {
  const last = message.slice(message.lastIndexOf(': ') + 1).trim()
  return message.includes(cause) || cause.includes(last)
}
