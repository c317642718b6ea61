import type {KeyPair} from '../../pem.js'

/** Credentials that authenticate the user. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: string
  readonly clientCertificate?: KeyPair
}

/** A source of credentials. */
export interface CredentialSource {
  /** Returns valid credentials; with `renew`, not those of the last call. Throws `credentials-failed`. */
  current(renew: boolean): Promise<Credentials>
}

/** Credentials that never change. */
export function fixedCredentials(credentials: Credentials): CredentialSource {
  return {current: () => Promise.resolve(credentials)}
}
