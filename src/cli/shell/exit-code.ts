import type {ErrorCode} from '../../errors.js'

/** 128 and the number of the signal, as shells report it. */
export const SIGNAL_STATUS = {SIGINT: 130, SIGPIPE: 141, SIGTERM: 143} as const

/** The exit status of each error code; the table of statuses is in docs/reference/exit-codes.md. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  'scope-mismatch': 2,
  'reference-invalid': 2,
  'reference-incomplete': 2,
  'not-found': 1,
  'read-failed': 1,
  unsupported: 1,
  'source-invalid': 1,
  'source-unsafe': 4,
  'limit-exceeded': 4,
  'digest-mismatch': 4,
  'registry-unreachable': 1,
  'tls-refused': 4,
  'access-denied': 1,
  'registry-failed': 1,
  'credentials-failed': 1,
  timeout: 6,
  offline: 1,
  'cache-failed': 1,
  'package-invalid': 1,
  'input-invalid': 1,
  'index-invalid': 1,
  'permissions-refused': 4,
  'policy-refused': 4,
  'signature-refused': 4,
  unresolvable: 3,
  'ambiguous-owner': 3,
  'lock-outdated': 3,
  conflict: 5,
  'output-refused': 5,
  'cluster-refused': 5,
  'plan-outdated': 5,
  'inventory-invalid': 1,
  declined: 1,
  'git-refused': 5,
  'git-failed': 1,
  'output-failed': 1,
  'cluster-unreachable': 1,
  'cluster-failed': 1,
  'cluster-denied': 1,
  'cluster-rejected': 1,
  'conflict-with-manager': 5,
  interrupted: SIGNAL_STATUS.SIGINT,
  terminated: SIGNAL_STATUS.SIGTERM,
}

export const USAGE = 2

/** The status of a search with a result. */
export const FOUND = 1

/** The status of a search without a result, as of grep. */
export const NOT_FOUND = 1

/** The status of a command that skipped a part of its work. */
export const INCOMPLETE = 1

/** The status of a failed search, where 1 means no result. */
const COULD_NOT_LOOK = 7

/**
 * The status of a failure by its command, also for a command line that cannot be parsed. `checks` are the commands that look
 * for something: those that set `isCheck`.
 */
export function failureStatus(
  status: number,
  argv: readonly string[],
  checks: readonly string[] = [],
): number {
  const command = argv.slice(0, 2).join(' ').replace(':', ' ')
  const isLooking = checks.some(check => command === check || command.startsWith(`${check} `))
  return isLooking && status === FOUND ? COULD_NOT_LOOK : status
}
