import {homedir} from 'node:os'
import {isAbsolute, join} from 'node:path'

/**
 * Returns the cache folder: the given one, otherwise that of this program in the user's cache folder. An
 * `XDG_CACHE_HOME` that is not absolute is ignored: https://specifications.freedesktop.org/basedir-spec/latest/
 * Undefined for a user without a home.
 */
export function cachePlace(
  named: string | undefined,
  {XDG_CACHE_HOME = ''}: NodeJS.ProcessEnv = process.env,
  findHome = homedir,
): string | undefined {
  if (named !== undefined) return named
  if (isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, OWN_FOLDER)
  const home = homeOrNone(findHome)
  return home === undefined || !isAbsolute(home) ? undefined : join(home, '.cache', OWN_FOLDER)
}

const OWN_FOLDER = 'kubectl-crossplane'

/** Node throws if the system does not know the user, as in containers that run with an arbitrary ID. */
function homeOrNone(findHome: () => string): string | undefined {
  try {
    return findHome()
  } catch {
    return undefined
  }
}
