import type {JsonObject} from '../yaml/json-value.js'

/** A signature or attestation in the form of a bundle, of which nothing has been verified. */
export interface SignedDocument {
  /** The digest of its layer. */
  readonly place: string
  /** https://docs.sigstore.dev/about/bundle/ */
  readonly bundle: JsonObject
  /** The signed bytes, if the bundle contains only a signature of them. */
  readonly payload?: Uint8Array
}

/** A document that is not a valid signature of a trusted signer, and why. */
export interface RejectedDocument {
  readonly place: string
  readonly reason: string
}

/** Formats the reason for rejecting a document. */
export function rejected(place: string, reason: string): RejectedDocument {
  return {place, reason}
}
