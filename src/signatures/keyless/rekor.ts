import {createHash} from 'node:crypto'
import {parseJsonObject} from '../../fetch/json-document.js'
import {asObject, asObjects, asText, asTexts, type JsonObject, type JsonValue} from '../../yaml/json-value.js'
import type {CertifiedEnvelope} from './keyless-signer.js'
import {exchange, failed, type SigstoreServer} from './sigstore-server.js'

const ACTION = {action: 'get a log entry'}
const PATH = '/api/v1/log/entries'
const EXISTING = /^\/api\/v1\/log\/entries\/[0-9a-f]{1,128}$/

/**
 * Adds a signature to a transparency log and returns its entry with promise and proof, as bundles have it. Throws as `exchange`
 * does. https://github.com/sigstore/rekor/blob/main/openapi.yaml
 */
export async function loggedBy(server: SigstoreServer, signed: CertifiedEnvelope): Promise<JsonObject> {
  const answer = await exchange(server, {
    ...ACTION,
    ...{method: 'POST', path: PATH, existing: EXISTING},
    document: proposedEntry(signed),
  })
  const [entry, ...others] = Object.values(answer).map(asObject)
  if (entry === undefined || others.length > 0) throw failed(server, ACTION, 'the answer is not one entry')
  const body = asText(entry['body'])
  if (!isAbout(body, signed)) throw failed(server, ACTION, 'the entry is about another signature')
  return bundledEntry(server, entry, body)
}

/** https://github.com/sigstore/rekor/blob/main/pkg/types/dsse/v0.0.1/dsse_v0_0_1_schema.json */
function proposedEntry({envelope, signature, certificate}: CertifiedEnvelope): JsonObject {
  const {payload, payloadType} = envelope
  const dsse = {payload: base64(payload), payloadType, signatures: [{sig: base64(signature)}]}
  return {
    ...{apiVersion: '0.0.1', kind: 'dsse'},
    spec: {
      proposedContent: {
        envelope: JSON.stringify(dsse),
        verifiers: [base64(Buffer.from(pemOf(certificate.der)))],
      },
    },
  }
}

function pemOf(der: Uint8Array): string {
  const lines = base64(der).replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

/** Compares what the log has signed with what it was sent. */
function isAbout(body: string, {envelope, signature}: CertifiedEnvelope): boolean {
  const {kind, spec} = entryBody(body)
  const {payloadHash, signatures} = asObject(spec)
  const [first, ...others] = asObjects(signatures)
  return (
    kind === 'dsse' &&
    others.length === 0 &&
    asObject(payloadHash)['value'] === createHash('sha256').update(envelope.payload).digest('hex') &&
    first?.['signature'] === base64(signature)
  )
}

function entryBody(body: string): JsonObject {
  try {
    return parseJsonObject(Buffer.from(body, 'base64'), 'the entry')
  } catch {
    return {}
  }
}

/** https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_rekor.proto */
function bundledEntry(server: SigstoreServer, entry: JsonObject, body: string): JsonObject {
  const {logIndex, logID, integratedTime} = entry
  const {signedEntryTimestamp, inclusionProof} = asObject(entry['verification'])
  const proof = asObject(inclusionProof)
  const promise = asText(signedEntryTimestamp)
  const checkpoint = asText(proof['checkpoint'])
  if (promise === '' || checkpoint === '')
    throw failed(server, ACTION, 'the entry has no promise or no proof')
  const {kind = null, apiVersion = null} = entryBody(body)
  return {
    ...{logIndex: numeral(logIndex), logId: {keyId: fromHex(asText(logID))}},
    ...{kindVersion: {kind, version: apiVersion}, integratedTime: numeral(integratedTime)},
    inclusionPromise: {signedEntryTimestamp: promise},
    inclusionProof: {
      ...{logIndex: numeral(proof['logIndex']), treeSize: numeral(proof['treeSize'])},
      rootHash: fromHex(asText(proof['rootHash'])),
      hashes: asTexts(proof['hashes']).map(fromHex),
      checkpoint: {envelope: checkpoint},
    },
    canonicalizedBody: body,
  }
}

/** JSON of protocol buffers has large numbers as text. */
function numeral(value: JsonValue | undefined): string {
  return typeof value === 'number' ? String(value) : asText(value)
}

function fromHex(text: string): string {
  return Buffer.from(text, 'hex').toString('base64')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
