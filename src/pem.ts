import {createPrivateKey, X509Certificate} from 'node:crypto'

/** A certificate, with the chain after it, and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** Returns the certificates of a PEM text; other blocks are skipped, as in Go. */
export function certificatesIn(pem: string): readonly string[] {
  const blocks = pem.replaceAll('\r\n', '\n').match(BLOCK) ?? []
  return blocks.filter(isCertificate)
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Returns why a certificate and a key cannot be used together, without quoting either; undefined if they can. */
export function keyPairError({cert, key}: KeyPair): string | undefined {
  const [leaf] = certificatesIn(cert)
  if (leaf === undefined) return 'the client certificate is not PEM'
  try {
    const fits = new X509Certificate(leaf).checkPrivateKey(createPrivateKey(key))
    return fits ? undefined : 'the client key is of another certificate'
  } catch {
    return 'the client key is not PEM without a passphrase'
  }
}
