import {keyHash} from '../public-key.js'
import type {SigningKey} from '../key-signer.js'
import {asObject, asTexts, type JsonObject} from '../../yaml/json-value.js'
import type {IdentityToken} from './identity-token.js'
import type {SigningCertificate} from './keyless-signer.js'
import {exchange, failed, type SigstoreServer} from './sigstore-server.js'

/** Port: reads a certificate for signing in PEM or DER. Throws for anything else. */
export type ReadCertificate = (certificate: string | Uint8Array) => SigningCertificate

const ACTION = {action: 'get a certificate'}

/**
 * Gets a certificate of Fulcio for the key of the owner of a token, who proves to have the key by signing the subject.
 * Throws as `exchange` does. https://github.com/sigstore/fulcio/blob/main/fulcio.proto
 */
export async function certifiedBy(
  server: SigstoreServer,
  {text, subject}: IdentityToken,
  key: SigningKey,
  read: ReadCertificate,
): Promise<SigningCertificate> {
  const proof = await key.sign(Buffer.from(subject))
  const answer = await exchange(server, {
    ...ACTION,
    ...{method: 'POST', path: '/api/v2/signingCert', secrets: [text]},
    document: {
      credentials: {oidcIdentityToken: text},
      publicKeyRequest: {
        publicKey: {algorithm: 'ECDSA', content: key.publicKey},
        proofOfPossession: Buffer.from(proof).toString('base64'),
      },
    },
  })
  const certificate = readable(server, answer, read)
  if (keyHash(certificate.publicKey) === keyHash(key.publicKey)) return certificate
  throw failed(server, ACTION, 'the certificate is for another key')
}

function readable(server: SigstoreServer, answer: JsonObject, read: ReadCertificate): SigningCertificate {
  const {signedCertificateEmbeddedSct: embedded} = answer
  const [pem] = asTexts(asObject(asObject(embedded)['chain'])['certificates'])
  if (pem === undefined)
    throw failed(server, ACTION, 'the answer has no certificate with a proof that it is logged')
  try {
    return read(pem)
  } catch {
    throw failed(server, ACTION, 'the answer has no certificate for signing')
  }
}
