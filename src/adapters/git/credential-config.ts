import {CrossplaneError} from '../../errors.js'
import type {GitConfig} from './git-program.js'

/** A URL with its scheme, user and password, and the rest. */
const WITH_USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/]*)@(.*)$/is

/** The scheme, the authority and the rest of a URL. */
const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(.*)$/is

/** Throws `usage` for a URL with a password that git cannot use: its messages would have the password. */
export function expectUsablePassword(url: string): void {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(url) ?? []
  const end = authority.lastIndexOf('@')
  const host = authority.slice(end + 1).replace(/^\[[^\]]*\]/, '')
  if (/:(?!\d*$)/.test(host) && rest.includes('@')) {
    const message = 'invalid --git: the port of the URL is not a number, or its password has a "/"'
    throw new CrossplaneError('usage', message, {suggestions: ['Write %2F for each / in the password.']})
  }
  if (end === -1 || !authority.slice(0, end).includes(':') || /^https?$/i.test(scheme)) return
  const message = 'invalid --git: only URLs of https and http can have a password'
  throw new CrossplaneError('usage', message, {suggestions: ['Leave out the password.']})
}

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
