import {generateKeyPairSync, sign} from 'node:crypto'
import type {SigningKey} from '../../signatures/key-signer.js'

/** Makes a key pair of P-256, which is never written anywhere. */
export function freshKey(): SigningKey {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  return {
    publicKey: publicKey.export({type: 'spki', format: 'pem'}).toString(),
    sign: bytes => Promise.resolve(sign('sha256', bytes, privateKey)),
  }
}
