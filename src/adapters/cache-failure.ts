import {CrossplaneError} from '../errors.js'
import {reasonOf, systemCode} from './file-system.js'

/** Runs `act`, and says of a system's refusal what was attempted on which path: `cache-failed`. */
export async function attemptInCache<T>(attempted: string, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw cacheFailed(`Cannot ${attempted} ${path} in the cache: ${reasonOf(code)}.`, cause)
  }
}

/** A sentence on a cache that cannot be used as it is. */
export function cacheFailed(message: string, cause?: unknown): CrossplaneError {
  return new CrossplaneError('cache-failed', message, {
    cause,
    suggestions: ['Free space or grant access, or name another folder with --cache-dir.'],
  })
}
