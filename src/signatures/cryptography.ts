import type {JsonObject} from '../yaml/json-value.js'
import type {SignedDocument} from './signed-document.js'
import type {SignerName} from './trusted-signer.js'

/** What has to have signed a document: one key, or any identity in a certificate of a root. */
export type Trust =
  | {readonly kind: 'key'; readonly pem: string; readonly trustedRoot?: JsonObject}
  | {readonly kind: 'certificate'; readonly trustedRoot: JsonObject}

/** The content of a document whose signature is valid. */
export interface ValidDocument {
  readonly signer: SignerName
  readonly payload: Uint8Array
  /** The type that an envelope states; absent for a plain signature. */
  readonly payloadType?: string
}

/** Port: verifies signatures, certificates and proofs of transparency logs, without network. */
export interface Cryptography {
  /** Returns the content of a document, or why its signature is not valid. */
  verify(document: SignedDocument, trust: Trust): ValidDocument | {readonly reason: string}
}
