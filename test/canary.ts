import {randomBytes} from 'node:crypto'

const PREFIX = 'canary-'

/** A secret for tests that is like no other text, so that it can be searched for in whatever was printed. */
export function canary(name: string): string {
  return `${PREFIX}${name}-${randomBytes(9).toString('hex')}`
}

/** The ways in which a secret could be printed: as it is, or encoded as for HTTP, also with a user name before it. */
export function disguises(secret: string, username = ''): readonly string[] {
  return [secret, encodeURIComponent(secret), base64(secret), base64(`${username}:${secret}`)]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
