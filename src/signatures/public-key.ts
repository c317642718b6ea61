import {createHash, createPublicKey} from 'node:crypto'
import {CrossplaneError} from '../errors.js'
import type {TrustedKey} from './trusted-signer.js'

const PUBLIC_KEY = /^\s*-----BEGIN (?:RSA )?PUBLIC KEY-----/

/** Reads a public key in PEM. Throws `input-invalid` for other text, naming `holder`. */
export function trustedKey(pem: string, holder: string): TrustedKey {
  if (!PUBLIC_KEY.test(pem)) throw noKey(holder)
  try {
    return {kind: 'key', pem: createPublicKey(pem).export({type: 'spki', format: 'pem'}).toString()}
  } catch (cause) {
    throw noKey(holder, cause)
  }
}

function noKey(holder: string, cause?: unknown): CrossplaneError {
  return new CrossplaneError('input-invalid', `${holder} is not a public key in PEM`, {
    cause,
    suggestions: ['Write the public key, as cosign writes it to cosign.pub.'],
  })
}

/** Reports whether a text is a public key in PEM. */
export function isInlineKey(pem: string): boolean {
  try {
    trustedKey(pem, 'the key')
    return true
  } catch {
    return false
  }
}

/** Returns the hash of a public key, as `openssl pkey -pubin -outform der | sha256sum` prints it. */
export function keyHash(pem: string): string {
  const der = createPublicKey(pem).export({type: 'spki', format: 'der'})
  return `sha256:${createHash('sha256').update(der).digest('hex')}`
}
