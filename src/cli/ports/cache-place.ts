import {homedir} from 'node:os'
import {isAbsolute, join} from 'node:path'

/**
 * The folder that packages are kept in: the one that is named, else ours in the user's cache folder. An
 * `XDG_CACHE_HOME` that is not absolute counts as none: https://specifications.freedesktop.org/basedir-spec/latest/
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

/** Node throws where the system does not know the user, as in containers that run with any number. */
function homeOrNone(findHome: () => string): string | undefined {
  try {
    return findHome()
  } catch {
    return undefined
  }
}
