import {CrossplaneError} from '../../errors.js'
import type {GitConfig} from './git-program.js'

/** A URL with its scheme, user and password, and the rest. */
const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)@(.*)$/is

/** The scheme, the authority and the rest of a URL. */
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/is

/** Throws `usage` for a URL whose password git would not find, or not use: its messages would have parts of it. */
export function expectUsablePassword(url: string): void {
  const problem = passwordProblem(url)
  if (problem === undefined) return
  const {cause, next} = problem
  throw new CrossplaneError('usage', `invalid --git: ${cause}`, {suggestions: [next]})
}

/** Why git would not find the password of a URL, or not use it, and the next step. */
interface Problem {
  readonly cause: string
  readonly next: string
}

/** Returns the problem of a URL with a password that messages of git could have parts of. */
export function passwordProblem(url: string): Problem | undefined {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(url) ?? []
  if (/^file$/i.test(scheme)) return undefined
  return scheme === '' ? withoutScheme(url) : withScheme({scheme, authority, rest})
}

const NO_HOST: Problem = {
  cause: 'a user with a password requires a URL with a scheme and a host',
  next: 'Write the URL as https://git.example.org/team/deploy.git',
}

const UNCLEAR: Problem = {
  cause: 'the password of the URL has a "/", or its path has an "@"',
  next: 'Write %2F for each / in the password, and %40 for each @ in the path.',
}

const UNUSED: Problem = {
  cause: 'only URLs of https and http can have a password',
  next: 'Leave out the password.',
}

/** In `HOST:PATH`, what precedes an `@` could be a password. */
function withoutScheme(url: string): Problem | undefined {
  return /^[^@]*:[^]*@/.test(url) ? NO_HOST : undefined
}

/** An IP address with a port: no password precedes an `@` of the path. */
const ADDRESS = /^(?:\[[^\]]*\]|(?:\d+\.){3}\d+):\d+$/

function withScheme({
  scheme,
  authority,
  rest,
}: Readonly<Record<'scheme' | 'authority' | 'rest', string>>): Problem | undefined {
  if (rest.includes('@')) {
    if (authority === '') return NO_HOST
    if (authority.replace(ADDRESS, '').includes(':')) return UNCLEAR
  }
  const user = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  return user.includes(':') && !/^https?$/i.test(scheme) ? UNUSED : undefined
}

/**
 * Separates the credentials of a URL: git writes the returned URL to files and shows it to other processes. Configuration
 * that only the environment has names a helper, which reads the password there: it is not among the arguments of any
 * process. The user of an `ssh` URL is not a secret and stays.
 */
export function credentialConfig(url: string): {readonly url: string; readonly config: GitConfig} {
  const [, scheme = '', user = '', rest = ''] = WITH_USER.exec(url) ?? []
  const isHttp = /^https?:/i.test(scheme)
  if (!user.includes(':') && (user === '' || !isHttp)) return {url, config: {}}
  const shown = `${scheme}${rest}`
  if (!isHttp) return {url: shown, config: {[`url.${url}.insteadOf`]: shown}}
  return {url: shown, config: helperConfig(`credential.${scheme}${rest.replace(/[/?#].*$/s, '')}`, user)}
}

function helperConfig(place: string, user: string): GitConfig {
  const [name = '', ...password] = user.split(':').map(decoded)
  if (password.length === 0) return {[`${place}.username`]: name}
  const lines = [`username=${name}`, `password=${password.join(':')}`]
  return {
    // Keys in two cases are one for git: the first value removes the helpers of other configuration.
    [`${place}.helper`]: '',
    [`${place}.Helper`]: HELPER,
    [CREDENTIAL]: lines.map(line => line.replace(/[\r\n\0]/g, '')).join('\n'),
  }
}

const CREDENTIAL = 'kubectl-crossplane.credential'
const HELPER = `!f() { test "$1" != get || git config --get ${CREDENTIAL}; }; f`

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
