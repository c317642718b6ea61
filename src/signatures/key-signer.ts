import {keyHash, trustedKey} from './public-key.js'
import {signedBytes, type Signer} from './signer.js'

/** Port: a private key. */
export interface SigningKey {
  /** The public key in PEM. */
  readonly publicKey: string
  /** Signs bytes by SHA-256. */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>
}

/** Creates the signer of a key. Throws `input-invalid`. */
export function keySigner({publicKey, sign}: SigningKey): Signer {
  const hash = keyHash(publicKey)
  return {
    name: () => Promise.resolve({key: hash}),
    trusted: trustedKey(publicKey, 'the public key'),
    seal: async envelope => ({
      signature: await sign(signedBytes(envelope)),
      verificationMaterial: {publicKey: {hint: keyHint(hash)}},
    }),
  }
}

/** The hint by which a bundle names a key, as of cosign: its hash in base64. */
function keyHint(hash: string): string {
  return Buffer.from(hash.slice('sha256:'.length), 'hex').toString('base64')
}
