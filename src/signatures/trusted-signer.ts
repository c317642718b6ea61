import type {JsonObject} from '../yaml/json-value.js'

/** Who is trusted to sign: a key, or an identity in certificates of a trusted root. */
export type TrustedSigner = TrustedKey | TrustedIdentity

/** A key. With a root, a proof of one of its transparency logs is required as well. */
export interface TrustedKey {
  readonly kind: 'key'
  /** The public key in PEM. */
  readonly pem: string
  readonly trustedRoot?: JsonObject
}

/** An identity; both are exact or patterns of `matchesPattern`. */
interface TrustedIdentity {
  readonly kind: 'identity'
  readonly issuer: string
  readonly subject: string
  readonly trustedRoot: JsonObject
}

/** Who has signed: the hash of a key, or the issuer and subject of a certificate. */
export type SignerName = {readonly key: string} | {readonly issuer: string; readonly subject: string}

/** Formats a signer for messages. */
export function signerText(signer: SignerName): string {
  return 'key' in signer ? `key ${signer.key}` : `${signer.subject} (${signer.issuer})`
}
