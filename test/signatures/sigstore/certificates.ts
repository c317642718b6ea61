import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import {bits, der, integer, octets, oid, sequence, time, utf8, yes} from './der.js'

/** A key pair of P-256, with the public key in DER. */
export interface KeyPair {
  readonly privateKey: KeyObject
  readonly spki: Buffer
}

export function newKeyPair(): KeyPair {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  return {privateKey, spki: publicKey.export({type: 'spki', format: 'der'})}
}

export const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest()

/** Who is certified, when, and by which issuer of tokens. */
export interface Leaf {
  readonly spki: Buffer
  readonly issuer: string
  readonly subject: string
  readonly from: number
  readonly to: number
}

const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))
const CODE_SIGNING = '1.3.6.1.5.5.7.3.3'
const SCTS = '1.3.6.1.4.1.11129.2.4.2'
const ROOT_NAME = name('the root of a test')
const DAY = 86_400_000

/** A certificate authority that states, as Fulcio does, that each certificate is in a log of certificates. */
export function certificateAuthority() {
  const root = newKeyPair()
  const log = newKeyPair()
  const certificate = rootCertificate(root)
  return {
    certificate,
    log,
    issue: (leaf: Leaf): Buffer => {
      const {spki, from, to} = leaf
      const fields = {serial: randomBytes(16), issuer: ROOT_NAME, subject: name(''), spki, from, to}
      const extensions = leafExtensions(leaf, root)
      const logged = promise(log, root, from, tbs({...fields, extensions}))
      return signed(root, tbs({...fields, extensions: [...extensions, extension(SCTS, octets(logged))]}))
    },
  }
}

function rootCertificate(root: KeyPair): Buffer {
  const fields = {serial: randomBytes(16), issuer: ROOT_NAME, subject: ROOT_NAME, spki: root.spki}
  const extensions = [
    extension('2.5.29.15', bits(Buffer.from([0x06]), 1), true),
    extension('2.5.29.19', sequence(yes), true),
    extension('2.5.29.14', octets(keyId(root.spki))),
  ]
  const now = Date.now()
  return signed(root, tbs({...fields, from: now - 30 * DAY, to: now + 30 * DAY, extensions}))
}

function leafExtensions({spki, issuer, subject}: Leaf, root: KeyPair): readonly Buffer[] {
  const isAddress = subject.includes('@') && !subject.includes('://')
  return [
    extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true),
    extension('2.5.29.37', sequence(oid(CODE_SIGNING))),
    extension('2.5.29.14', octets(keyId(spki))),
    extension('2.5.29.35', sequence(der(0x80, keyId(root.spki)))),
    extension('2.5.29.17', sequence(der(isAddress ? 0x81 : 0x86, Buffer.from(subject))), true),
    extension('1.3.6.1.4.1.57264.1.1', Buffer.from(issuer)),
    extension('1.3.6.1.4.1.57264.1.8', utf8(issuer)),
  ]
}

interface Fields {
  readonly serial: Buffer
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly spki: Buffer
  readonly from: number
  readonly to: number
  readonly extensions: readonly Buffer[]
}

function tbs({serial, issuer, subject, spki, from, to, extensions}: Fields): Buffer {
  const validity = sequence(time(from), time(to))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const listed = der(0xa3, sequence(...extensions))
  return sequence(version, integer(positive(serial)), ECDSA_SHA256, issuer, validity, subject, spki, listed)
}

/** DER has no zero byte before one that does not look negative. */
function positive(serial: Buffer): Buffer {
  const copy = Buffer.from(serial)
  copy[0] = (copy[0] ?? 0) | 0x80
  return copy
}

function signed({privateKey}: KeyPair, content: Buffer): Buffer {
  return sequence(content, ECDSA_SHA256, bits(sign('sha256', content, privateKey)))
}

function extension(id: string, value: Uint8Array, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [yes] : []), octets(value))
}

function name(text: string): Buffer {
  return text === '' ? sequence() : sequence(der(0x31, sequence(oid('2.5.4.3'), utf8(text))))
}

function keyId(spki: Buffer): Buffer {
  return createHash('sha1').update(spki).digest()
}

/** A list of one promise of a log of certificates. https://www.rfc-editor.org/rfc/rfc6962#section-3.2 */
function promise(log: KeyPair, root: KeyPair, at: number, content: Buffer): Buffer {
  const timestamp = Buffer.alloc(8)
  timestamp.writeBigUInt64BE(BigInt(at))
  const entry = [Buffer.from([0, 1]), sha256(root.spki), sized(content, 3), sized(Buffer.alloc(0), 2)]
  const signature = sign('sha256', Buffer.concat([Buffer.from([0, 0]), timestamp, ...entry]), log.privateKey)
  const sct = Buffer.concat([
    ...[Buffer.from([0]), sha256(log.spki), timestamp, Buffer.from([0, 0, 4, 3])],
    sized(signature, 2),
  ])
  return sized(sized(sct, 2), 2)
}

function sized(content: Buffer, bytes: number): Buffer {
  const size = Buffer.alloc(bytes)
  size.writeUIntBE(content.length, 0, bytes)
  return Buffer.concat([size, content])
}

export function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** The public key of a certificate or a key in PEM, in DER. */
export function spkiOf(text: string): Buffer {
  return createPublicKey(text).export({type: 'spki', format: 'der'})
}
