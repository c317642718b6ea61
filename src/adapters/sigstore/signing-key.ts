import {xsalsa20poly1305} from '@noble/ciphers/salsa.js'
import {createPrivateKey, createPublicKey, type KeyObject, scryptSync, sign} from 'node:crypto'
import {CrossplaneError} from '../../errors.js'
import type {SigningKey} from '../../signatures/key-signer.js'

/** A file with a private key, and the password for an encrypted one. */
export interface KeyFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly password: string | undefined
}

/** Reads a private key: of cosign, or in PKCS#8. Throws `input-invalid`, and `usage` without a password. */
export function readSigningKey(file: KeyFile): SigningKey {
  const key = privateKey(file)
  if (key.asymmetricKeyType !== 'ec') throw unusable(file, 'only keys of elliptic curves are supported')
  return {
    publicKey: createPublicKey(key).export({type: 'spki', format: 'pem'}).toString(),
    sign: bytes => Promise.resolve(sign('sha256', bytes, key)),
  }
}

const ENCRYPTED = /-----BEGIN ENCRYPTED (?:SIGSTORE|COSIGN) PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END /

function privateKey(file: KeyFile): KeyObject {
  const pem = new TextDecoder().decode(file.bytes)
  const [, encrypted] = ENCRYPTED.exec(pem) ?? []
  const needsPassword = encrypted !== undefined || pem.includes('BEGIN ENCRYPTED')
  if (needsPassword && file.password === undefined) throw noPassword(file)
  try {
    return encrypted === undefined
      ? createPrivateKey({key: pem, ...(file.password !== undefined && {passphrase: file.password})})
      : createPrivateKey({key: decrypted(encrypted, file.password ?? ''), format: 'der', type: 'pkcs8'})
  } catch {
    // The cause can have parts of the key.
    throw unusable(
      file,
      needsPassword ? 'the key or its password is wrong' : 'it is not a private key in PEM',
    )
  }
}

/** What cosign writes: https://github.com/secure-systems-lab/go-securesystemslib/tree/main/encrypted */
interface EncryptedKey {
  readonly kdf: {
    readonly name: string
    readonly params: {N: number; r: number; p: number}
    readonly salt: string
  }
  readonly cipher: {readonly name: string; readonly nonce: string}
  readonly ciphertext: string
}

/** Larger parameters would take all memory. */
const MAX_COST = 2 ** 20
const MAX_MEMORY = 2 ** 31 - 1

function decrypted(encrypted: string, password: string): Buffer {
  const {kdf, cipher, ciphertext} = JSON.parse(Buffer.from(encrypted, 'base64').toString()) as EncryptedKey
  const {N, r, p} = kdf.params
  const isReadable = kdf.name === 'scrypt' && cipher.name === 'nacl/secretbox' && N * r * p <= MAX_COST * 8
  if (!isReadable) throw new Error('unknown encryption')
  const key = scryptSync(password, Buffer.from(kdf.salt, 'base64'), 32, {N, r, p, maxmem: MAX_MEMORY})
  const box = xsalsa20poly1305(key, Buffer.from(cipher.nonce, 'base64'))
  return Buffer.from(box.decrypt(Buffer.from(ciphertext, 'base64')))
}

function unusable({name}: KeyFile, why: string): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot sign with ${name}: ${why}`)
}

function noPassword({name}: KeyFile): CrossplaneError {
  return new CrossplaneError(
    'usage',
    `cannot sign with ${name}: it is encrypted, and COSIGN_PASSWORD is not set`,
    {
      suggestions: ['Set COSIGN_PASSWORD to the password of the key; it can be empty.'],
    },
  )
}
