/** Shorter secrets occur in many words and protect nothing. */
const SHORTEST = 4

/** Parts of secrets that are as long are not in a text by chance. */
const PART = 12

/** Removes secrets, and long parts of them, from a text in which a server may have repeated them. */
export function hidden(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) {
    if (secret.length >= SHORTEST) shown = withoutParts(shown.replaceAll(secret, '***'), secret)
  }
  return shown
}

/** Servers quote parts, such as the claims of a token or its beginning. */
function withoutParts(text: string, secret: string): string {
  if (secret.length <= PART) return text
  let shown = ''
  for (let at = 0; at < text.length;) {
    const length = lengthOfPart(text, at, secret)
    shown += length === 0 ? (text[at] ?? '') : '***'
    at += Math.max(length, 1)
  }
  return shown
}

/** The length of the longest part of a secret at a place of a text; 0 for a short one. */
function lengthOfPart(text: string, at: number, secret: string): number {
  let length = PART
  if (at + length > text.length || !secret.includes(text.slice(at, at + length))) return 0
  while (at + length < text.length && secret.includes(text.slice(at, at + length + 1))) length += 1
  return length
}

/** Returns the secrets in an `Authorization` header: its token, and the password in that. */
export function secretsIn(authorization: string): readonly string[] {
  const [scheme = '', token = ''] = authorization.split(' ')
  if (scheme.toLowerCase() !== 'basic') return [token]
  const account = Buffer.from(token, 'base64').toString()
  return [token, account.slice(account.indexOf(':') + 1)]
}
