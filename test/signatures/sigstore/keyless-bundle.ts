import {sign} from 'node:crypto'
import {BUNDLE} from '../signed-images.js'
import {certificateAuthority, type Leaf, newKeyPair, pem, sha256} from './certificates.js'
import {dsseEntry, LOG_NAME, TransparencyLog} from './transparency-log.js'

const IN_TOTO = 'application/vnd.in-toto+json'
const MINUTE = 60_000

/** A certificate authority, and a transparency log. */
export interface SigningServices {
  readonly authority: ReturnType<typeof certificateAuthority>
  readonly log: TransparencyLog
}

export function signingServices(): SigningServices {
  return {authority: certificateAuthority(), log: new TransparencyLog()}
}

/** https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_trustroot.proto */
export function trustedRootOf({authority, log}: SigningServices) {
  const validFor = {start: new Date(Date.now() - 24 * 60 * MINUTE).toISOString()}
  const logOf = (baseUrl: string, spki: Buffer) => ({
    ...{baseUrl, hashAlgorithm: 'SHA2_256', logId: {keyId: sha256(spki).toString('base64')}},
    publicKey: {rawBytes: spki.toString('base64'), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor},
  })
  return {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(`https://${LOG_NAME}`, log.keys.spki)],
    certificateAuthorities: [
      {
        subject: {organization: '', commonName: 'the root of a test'},
        uri: 'https://fulcio.example.test',
        certChain: {certificates: [{rawBytes: authority.certificate.toString('base64')}]},
        validFor,
      },
    ],
    ctlogs: [logOf('https://ctfe.example.test', authority.log.spki)],
    timestampAuthorities: [],
  }
}

/** Who signs, and what differs from a certificate that is used at once. */
export interface Signing extends Pick<Leaf, 'issuer' | 'subject'> {
  /** Minutes from now: when the certificate begins and ends, and when the log states that it was used. */
  readonly from?: number
  readonly to?: number
  readonly logged?: number
}

/** A bundle with certificate, log entry and proof, as cosign writes it. */
export function keylessBundle(content: unknown, signing: Signing, {authority, log}: SigningServices) {
  const {issuer, subject, from = -1, to = 10, logged = 0} = signing
  const {privateKey, spki} = newKeyPair()
  const now = Date.now()
  const validity = {from: now + from * MINUTE, to: now + to * MINUTE}
  const certificate = authority.issue({spki, issuer, subject, ...validity})
  const payload = Buffer.from(JSON.stringify(content))
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${payload.length} `),
    payload,
  ])
  const sig = sign('sha256', signed, privateKey).toString('base64')
  const dsseEnvelope = {payload: payload.toString('base64'), payloadType: IN_TOTO, signatures: [{sig}]}
  const verifier = Buffer.from(pem(certificate)).toString('base64')
  const body = dsseEntry({envelope: JSON.stringify(dsseEnvelope), payload, sig, verifier})
  const entry = log.add(body, Math.floor((now + logged * MINUTE) / 1000))
  return {
    mediaType: BUNDLE,
    verificationMaterial: {
      certificate: {rawBytes: certificate.toString('base64')},
      tlogEntries: [bundledEntry(entry)],
    },
    dsseEnvelope,
  }
}

function bundledEntry({
  body,
  integratedTime,
  logID,
  logIndex,
  verification,
}: ReturnType<TransparencyLog['add']>) {
  const {inclusionProof: proof, signedEntryTimestamp} = verification
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
  return {
    ...{logIndex: String(logIndex), logId: {keyId: base64(logID)}},
    ...{kindVersion: {kind: 'dsse', version: '0.0.1'}, integratedTime: String(integratedTime)},
    inclusionPromise: {signedEntryTimestamp},
    inclusionProof: {
      ...{
        logIndex: String(proof.logIndex),
        treeSize: String(proof.treeSize),
        rootHash: base64(proof.rootHash),
      },
      hashes: proof.hashes.map(base64),
      checkpoint: {envelope: proof.checkpoint},
    },
    canonicalizedBody: body,
  }
}
