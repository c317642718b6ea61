import type {JsonObject} from '../yaml/json-value.js'
import type {SignerName, TrustedSigner} from './trusted-signer.js'

/** The content of an envelope to be signed. */
export interface Envelope {
  readonly payload: Uint8Array
  readonly payloadType: string
}

/** A signature of an envelope, and what of a bundle tells by whom it is. */
interface SealedEnvelope {
  readonly signature: Uint8Array
  readonly verificationMaterial: JsonObject
}

/** A key or an identity that signs. */
export interface Signer {
  /** Returns who signs. Throws as signing does: the identity of a token is what a certificate states. */
  name(): Promise<SignerName>
  /** Recognizes its earlier statements, which are not made again; absent if that takes a trusted root. */
  readonly trusted?: TrustedSigner
  /** Signs an envelope. Throws if it cannot. */
  seal(envelope: Envelope): Promise<SealedEnvelope>
}

/** Returns the bytes of an envelope that are signed. https://github.com/secure-systems-lab/dsse/blob/master/protocol.md */
export function signedBytes({payload, payloadType}: Envelope): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}
