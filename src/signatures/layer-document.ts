import {createHash} from 'node:crypto'
import {CrossplaneError} from '../errors.js'
import type {Descriptor} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {quoted} from '../text.js'
import {asObject, asText, type JsonObject} from '../yaml/json-value.js'
import type {SignedDocument} from './signed-document.js'

/** Reports whether a media type is that of a bundle of any version. */
export function isBundleType(mediaType: string): boolean {
  return mediaType.startsWith('application/vnd.dev.sigstore.bundle')
}

const SIMPLE = 'application/vnd.dev.cosign.simplesigning.v1+json'
const ENVELOPE = 'application/vnd.dsse.envelope.v1+json'

/**
 * Reads a layer with a signature or an attestation; those of older versions of cosign, whose parts are annotations, become
 * bundles. Throws `source-invalid` and `unsupported`.
 */
export function toSignedDocument(
  {digest, mediaType, annotations}: Descriptor,
  bytes: Uint8Array,
): SignedDocument {
  const holder = `the signature ${digest}`
  if (isBundleType(mediaType)) return {place: digest, bundle: parseJsonObject(bytes, holder)}
  const material = verificationMaterial(annotations, holder)
  if (mediaType === SIMPLE) {
    const messageDigest = {
      algorithm: 'SHA2_256',
      digest: createHash('sha256').update(bytes).digest('base64'),
    }
    const messageSignature = {messageDigest, signature: annotations[`${COSIGN}/signature`] ?? ''}
    return {place: digest, payload: bytes, bundle: {...material, messageSignature}}
  }
  if (mediaType === ENVELOPE) {
    return {place: digest, bundle: {...material, dsseEnvelope: parseJsonObject(bytes, holder)}}
  }
  throw new CrossplaneError('unsupported', `${holder} has the media type ${quoted(mediaType)}`)
}

const COSIGN = 'dev.cosignproject.cosign'
const SIGSTORE = 'dev.sigstore.cosign'

/** A bundle of the first version, without content: later ones require a proof that the annotations do not have. */
function verificationMaterial(annotations: Descriptor['annotations'], holder: string): JsonObject {
  const annotation = (name: string) =>
    annotations[`${SIGSTORE}/${name}`] ?? annotations[`${COSIGN}/${name}`] ?? ''
  const object = (name: string) =>
    annotation(name) === '' ? {} : parseJsonObject(Buffer.from(annotation(name)), `${name} of ${holder}`)
  const timestamp = asText(object('rfc3161timestamp')['SignedRFC3161Timestamp'])
  const certificate = firstCertificate(annotation('certificate'))
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
    verificationMaterial: {
      ...(certificate === undefined
        ? {publicKey: {hint: ''}}
        : {x509CertificateChain: {certificates: [{rawBytes: certificate}]}}),
      tlogEntries: annotation('bundle') === '' ? [] : [logEntry(object('bundle'))],
      timestampVerificationData: {
        rfc3161Timestamps: timestamp === '' ? [] : [{signedTimestamp: timestamp}],
      },
    },
  }
}

function firstCertificate(pem: string): string | undefined {
  const [, body] = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem) ?? []
  return body?.replaceAll(/\s/g, '')
}

/** The entry of a log, as older versions of cosign write it. */
function logEntry(entry: JsonObject): JsonObject {
  const {body, integratedTime, logIndex, logID} = asObject(entry['Payload'])
  const {kind, apiVersion} = parseJsonObject(Buffer.from(asText(body), 'base64'), 'the entry of the log')
  return {
    logIndex: String(Number(logIndex)),
    logId: {keyId: Buffer.from(asText(logID), 'hex').toString('base64')},
    kindVersion: {kind: asText(kind), version: asText(apiVersion)},
    integratedTime: String(Number(integratedTime)),
    inclusionPromise: {signedEntryTimestamp: asText(entry['SignedEntryTimestamp'])},
    canonicalizedBody: asText(body),
  }
}
