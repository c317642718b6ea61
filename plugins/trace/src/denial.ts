import {CrossplaneError} from 'kubectl-crossplane/plugin'

/**
 * Returns why an object or a kind could not be read. A trace goes on without it; any failure that other objects would
 * have too, such as a server that does not respond, is thrown again.
 */
export function deniedReason(error: unknown): string {
  if (error instanceof CrossplaneError && CODES.includes(error.code)) return error.message
  throw error
}

const CODES: readonly string[] = ['cluster-denied', 'cluster-failed', 'cluster-rejected', 'limit-exceeded']
