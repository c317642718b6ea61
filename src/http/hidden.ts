/** Shorter secrets occur in many words and protect nothing. */
const SHORTEST = 4

/** Removes secrets from a text in which a server may have repeated them. */
export function hidden(text: string, secrets: Iterable<string>): string {
  let shown = text
  for (const secret of secrets) if (secret.length >= SHORTEST) shown = shown.replaceAll(secret, '***')
  return shown
}

/** Returns the secrets in an `Authorization` header: its token, and the password in that. */
export function secretsIn(authorization: string): readonly string[] {
  const [scheme = '', token = ''] = authorization.split(' ')
  if (scheme.toLowerCase() !== 'basic') return [token]
  const account = Buffer.from(token, 'base64').toString()
  return [token, account.slice(account.indexOf(':') + 1)]
}
