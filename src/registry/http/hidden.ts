/** Shorter ones are in half of all words; nothing is protected by them. */
const SHORTEST = 4

/** A text in which a server may have repeated what it was shown, without that. */
export function hidden(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) if (secret.length >= SHORTEST) shown = shown.replaceAll(secret, '***')
  return shown
}

/** What an `Authorization` header shows: its token, and the password that is in it. */
export function secretsIn(authorization: string): readonly string[] {
  const [scheme = '', token = ''] = authorization.split(' ')
  if (scheme.toLowerCase() !== 'basic') return [token]
  const account = Buffer.from(token, 'base64').toString()
  return [token, account.slice(account.indexOf(':') + 1)]
}
