/** What a registry may be shown to prove who asks: a password, or a token that buys tokens (OAuth2 refresh token). */
export type Credentials =
  | {readonly kind: 'password'; readonly username: string; readonly password: string}
  | {readonly kind: 'identity-token'; readonly token: string}

/** Port: the credentials that a person has for a registry, `host[:port]` or `docker.io`; undefined for none. */
export interface Keychain {
  credentialsFor(registry: string): Promise<Credentials | undefined>
}
