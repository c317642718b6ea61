import type {Login, Logout} from '../../pipeline/login.js'
import {plainText} from '../shell/text/plain-text.js'

/** Formats a login: the account, and where the password is stored. */
export function formatLogin({registry, username, storedIn}: Login): string {
  const place =
    storedIn.kind === 'helper'
      ? `stored by docker-credential-${plainText(storedIn.name)}`
      : `stored unencrypted in ${plainText(storedIn.path)}, readable only by you`
  return `Logged in to ${registry} as ${plainText(username)}; the password is ${place}\n`
}

export function formatLogout({registry, wasKnown}: Logout): string {
  return wasKnown ? `Logged out of ${registry}\n` : `No credentials for ${registry}\n`
}
