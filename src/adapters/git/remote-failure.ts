import {CrossplaneError} from '../../errors.js'
import {passwordProblem} from './credential-config.js'
import {withoutCredentials} from '../../without-credentials.js'
import {gitFailed} from './git-failure.js'
import type {GitProgram} from './git-program.js'

/** A remote repository as the configuration has it. */
interface NamedUrl {
  /** Its name, or its URL. */
  readonly remote: string
  readonly url: string
}

/**
 * The error for a command that failed at a remote repository. Without what git printed for a URL of which it could name parts
 * of a password, as a host or a port.
 */
export async function remoteFailure(
  action: string,
  {remote, url}: NamedUrl,
  error: unknown,
  git: GitProgram,
): Promise<CrossplaneError> {
  const failure = gitFailed(`${action} ${withoutCredentials(url)}`, error)
  const [problem] = [url, ...(await effectiveUrls(remote, git))].flatMap(text => passwordProblem(text) ?? [])
  if (problem === undefined) return failure
  const message = `cannot ${action} ${withoutCredentials(url)}: ${problem.cause}`
  return new CrossplaneError('git-failed', message, {suggestions: [problem.next]})
}

/** The URLs that git uses: another one for pushes, and those that `insteadOf` has. */
async function effectiveUrls(remote: string, git: GitProgram): Promise<readonly string[]> {
  const urls = async (...args: readonly string[]) =>
    (await git.find([...args, '--', remote]).catch(() => '')).split(/\r?\n/)
  return [...(await urls('ls-remote', '--get-url')), ...(await urls('remote', 'get-url', '--push', '--all'))]
}

/** The error for a remote repository that cannot be read; nothing was written: the commit could not be pushed. */
export async function unreachable(
  remote: NamedUrl,
  error: unknown,
  git: GitProgram,
): Promise<CrossplaneError> {
  const {code, message, cause, suggestions} = await remoteFailure('read', remote, error, git)
  const next = suggestions.length > 0 ? suggestions : [CHECK]
  return new CrossplaneError(code, message, {cause, suggestions: next})
}

const CHECK = 'Check the URL, and the credentials that git uses: git help credentials'
