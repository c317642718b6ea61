import {CrossplaneError} from '../errors.js'
import {reasonOf, systemCode} from './file-system.js'

/** Runs `act`; a system error becomes `cache-failed`, naming the attempted action and the path. */
export async function attemptInCache<T>(attempted: string, path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const code = systemCode(cause)
    if (code === undefined) throw cause
    throw cacheFailed(`cannot ${attempted} ${path} in the cache: ${reasonOf(code)}`, adviceFor(code), cause)
  }
}

/** Creates a `cache-failed` error. */
export function cacheFailed(message: string, advice = OTHER_FOLDER, cause?: unknown): CrossplaneError {
  return new CrossplaneError('cache-failed', message, {cause, suggestions: [advice]})
}

const OTHER_FOLDER = 'Choose another folder with --cache-dir.'

function adviceFor(code: string): string {
  return ['ENOSPC', 'EDQUOT'].includes(code)
    ? 'Free disk space, or choose another folder with --cache-dir.'
    : OTHER_FOLDER
}
