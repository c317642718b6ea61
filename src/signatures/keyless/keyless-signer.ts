import type {JsonObject} from '../../yaml/json-value.js'
import type {SigningKey} from '../key-signer.js'
import {type Envelope, signedBytes, type Signer} from '../signer.js'
import type {SignerName} from '../trusted-signer.js'

/** A certificate that names the owner of a key for some minutes. */
export interface SigningCertificate {
  readonly der: Uint8Array
  /** The certified key in PEM. */
  readonly publicKey: string
  readonly signer: SignerName
}

/** A signed envelope with the certificate of its key. */
export interface CertifiedEnvelope {
  readonly envelope: Envelope
  readonly signature: Uint8Array
  readonly certificate: SigningCertificate
}

export interface KeylessPorts {
  /** Port: makes a key pair that is used by one command and never stored. */
  readonly newKey: () => SigningKey
  /** Gets a certificate of a key. Throws if there is none. */
  readonly certify: (key: SigningKey) => Promise<SigningCertificate>
  /** Adds a signature to a transparency log, and returns its entry as bundles have it. */
  readonly log: (signed: CertifiedEnvelope) => Promise<JsonObject>
}

/** Creates a signer whose key is certified when it first signs, and then forgotten: the log proves when it signed. */
export function keylessSigner({newKey, certify, log}: KeylessPorts): Signer {
  let certified: ReturnType<typeof certifiedKey> | undefined
  const certifiedKey = async () => {
    const key = newKey()
    return {key, certificate: await certify(key)}
  }
  const identity = () => (certified ??= certifiedKey())
  return {
    name: async () => (await identity()).certificate.signer,
    seal: async envelope => {
      const {key, certificate} = await identity()
      const signature = await key.sign(signedBytes(envelope))
      const entry = await log({envelope, signature, certificate})
      const rawBytes = Buffer.from(certificate.der).toString('base64')
      return {signature, verificationMaterial: {certificate: {rawBytes}, tlogEntries: [entry]}}
    },
  }
}
