import type {GitConfig} from './git-program.js'

/** A URL with its scheme, user and password, and the rest. */
const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)@(.*)$/is

/**
 * Separates the credentials of a URL: git writes the returned URL to files and shows it to other processes, and
 * configuration that only the environment has adds the credentials. The user of an `ssh` URL is not a secret and stays.
 */
export function credentialConfig(url: string): {readonly url: string; readonly config: GitConfig} {
  const [, scheme = '', user = '', rest = ''] = WITH_USER.exec(url) ?? []
  const isSecret = user.includes(':') || (user !== '' && /^https?:/i.test(scheme))
  if (!isSecret) return {url, config: {}}
  const shown = `${scheme}${rest}`
  return {url: shown, config: {[`url.${url}.insteadOf`]: shown}}
}
