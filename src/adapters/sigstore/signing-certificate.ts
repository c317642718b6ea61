import {X509Certificate as SigstoreCertificate} from '@sigstore/core'
import {X509Certificate} from 'node:crypto'
import type {SigningCertificate} from '../../signatures/keyless/keyless-signer.js'

/** https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md */
const ISSUER = '1.3.6.1.4.1.57264.1.8'
const ISSUER_OF_2021 = '1.3.6.1.4.1.57264.1.1'

/** Reads a certificate of Fulcio in PEM or DER. Throws for anything else, and without an identity. */
export function readSigningCertificate(content: string | Uint8Array): SigningCertificate {
  const {raw, publicKey} = new X509Certificate(content)
  const certificate = SigstoreCertificate.parse(raw)
  const subject = certificate.subjectAltName ?? ''
  const issuer = issuerOf(certificate)
  if (subject === '' || issuer === '') throw new Error('it has no identity')
  return {
    der: raw,
    publicKey: publicKey.export({type: 'spki', format: 'pem'}).toString(),
    signer: {issuer, subject},
  }
}

/** The newer extension has a text of ASN.1, the older one the bytes themselves. */
function issuerOf(certificate: SigstoreCertificate): string {
  const text = certificate.extension(ISSUER)?.valueObj.subs[0]?.value
  return (text ?? certificate.extension(ISSUER_OF_2021)?.value ?? '').toString()
}
