import type {GitHubPlace} from '../../commit/github-forge.js'
import {CrossplaneError} from '../../errors.js'
import {isLoopback} from '../../http/loopback.js'
import {listAll, quoted} from '../../text.js'

/** The flags of a repository of GitHub, or the variables that GitHub Actions sets. */
interface GitHubFlags {
  readonly 'pr-api'?: string | undefined
  readonly 'pr-repository'?: string | undefined
}

const PASS_API = 'Pass --pr-api https://api.github.com'
const PASS_REPOSITORY = 'Pass --pr-repository OWNER/NAME.'
const SET_TOKEN = 'Set GITHUB_TOKEN: in a workflow, to ${{ github.token }}'

/**
 * Returns where pull requests are opened. Nothing of it comes from a remote repository or a declaration: they could name an address that
 * is to get the token. Throws `usage`.
 */
export function githubPlace(
  flags: GitHubFlags,
  env: Readonly<Record<string, string | undefined>>,
): GitHubPlace {
  const address = flags['pr-api'] ?? env.GITHUB_API_URL
  const repository = flags['pr-repository'] ?? env.GITHUB_REPOSITORY
  const {GITHUB_TOKEN: token = ''} = env
  if (address === undefined || repository === undefined) throw missing(address, repository, token)
  const api = apiUrl(address)
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(repository))
    throw new CrossplaneError('usage', `invalid --pr-repository ${quoted(repository)}: not OWNER/NAME`, {
      suggestions: [PASS_REPOSITORY],
    })
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new CrossplaneError('usage', '--pr github requires a token in GITHUB_TOKEN', {
      suggestions: [SET_TOKEN],
    })
  }
  return {api, repository, token}
}

function apiUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && isSafe(url) && url.href === `${url.origin}${url.pathname}`) return url
  throw new CrossplaneError('usage', 'invalid --pr-api: not a URL https://HOST[/PATH]', {
    suggestions: [PASS_API],
  })
}

function isSafe({protocol, hostname}: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Names all that is missing at once, with the variable of each flag. */
function missing(
  address: string | undefined,
  repository: string | undefined,
  token: string,
): CrossplaneError {
  const names = [
    ...(address === undefined ? ['--pr-api or GITHUB_API_URL'] : []),
    ...(repository === undefined ? ['--pr-repository or GITHUB_REPOSITORY'] : []),
    ...(token === '' ? ['a token in GITHUB_TOKEN'] : []),
  ]
  return new CrossplaneError('usage', `--pr github requires ${listAll(names)}`, {
    suggestions: [
      ...(address === undefined ? [PASS_API] : []),
      ...(repository === undefined ? [PASS_REPOSITORY] : []),
      ...(token === '' ? [SET_TOKEN] : []),
    ],
  })
}
