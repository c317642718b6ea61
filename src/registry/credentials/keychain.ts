/** Credentials for a registry: a password, or an identity token (an OAuth2 refresh token). */
export type Credentials =
  | {readonly kind: 'password'; readonly username: string; readonly password: string}
  | {readonly kind: 'identity-token'; readonly token: string}

/** Port: the user's credentials for a registry, `host[:port]` or `docker.io`; undefined for none. */
export interface Keychain {
  credentialsFor(registry: string): Promise<Credentials | undefined>
}
