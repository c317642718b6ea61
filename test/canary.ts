import {randomBytes} from 'node:crypto'

const PREFIX = 'canary-'

/** A secret for tests that is like no other text, so that it can be searched for in whatever was printed. */
export function canary(name: string): string {
  return `${PREFIX}${name}-${randomBytes(9).toString('hex')}`
}

/**
 * The ways in which a secret could be printed: as it is, encoded as for HTTP, also with a user name before it, in hex,
 * and in base64 behind and before whatever else.
 */
export function disguises(secret: string, username = ''): readonly string[] {
  const inBase64 = [
    base64(secret),
    base64(`${username}:${secret}`),
    ...[0, 1, 2].map(at => withinBase64(secret, at)),
  ]
  const inUrls = inBase64.map(text => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex'), ...inBase64, ...inUrls]
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** What stands for it in base64 whatever is before it, `offset` bytes more than a multiple of three, and behind it. */
function withinBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const first = Math.ceil((offset * 8) / 6)
  return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
}
