import type {Login, Logout} from '../../pipeline/login.js'
import {plainText} from './plain-text.js'

/** For people: who is logged in where, and who can read the password. */
export function formatLogin({registry, username, storedIn}: Login): string {
  const place =
    storedIn.kind === 'helper'
      ? `kept by docker-credential-${plainText(storedIn.name)}`
      : `stored in ${plainText(storedIn.path)}, which you alone can read; it is not encrypted`
  return `Logged in to ${registry} as ${plainText(username)}. The password is ${place}.\n`
}

export function formatLogout({registry, wasKnown}: Logout): string {
  return wasKnown
    ? `Logged out of ${registry}: its credentials are forgotten here.\n`
    : `There were no credentials for ${registry}.\n`
}
