import type {Blob, Descriptor, Digest, Image} from '../fetch/image.js'
import {digestOf} from '../fetch/verified-bytes.js'
import {oneChunk} from '../http/one-chunk.js'
import type {JsonObject} from '../yaml/json-value.js'
import {SIGNATURE_TYPE} from './statement.js'

/** Port: a private key. */
export interface SigningKey {
  /** The public key in PEM. */
  readonly publicKey: string
  /** Signs bytes by SHA-256. */
  sign(bytes: Uint8Array): Uint8Array
}

const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const IN_TOTO = 'application/vnd.in-toto+json'

/** Signs an image as cosign does: returns the artifact that refers to it. */
export function signatureOf(image: Descriptor, key: SigningKey, hint: string): Image {
  const bundle = bytesOf(signedBundle(image.digest, key, hint))
  const layer = blobOf(bundle, BUNDLE)
  const config = blobOf(bytesOf({}), 'application/vnd.oci.empty.v1+json')
  const {mediaType, digest, size} = image
  const manifest = bytesOf({
    ...{schemaVersion: 2, mediaType: MANIFEST, artifactType: BUNDLE},
    config: reference(config.descriptor),
    layers: [reference(layer.descriptor)],
    subject: {mediaType, digest, size},
    annotations: {
      'dev.sigstore.bundle.content': 'dsse-envelope',
      'dev.sigstore.bundle.predicateType': SIGNATURE_TYPE,
    },
  })
  return {descriptor: descriptorOf(manifest, MANIFEST), bytes: manifest, config, layers: [layer]}
}

/** The descriptor by which a list of referrers has an artifact. */
function listedSignature({descriptor}: Image): JsonObject {
  return {...reference(descriptor), artifactType: BUNDLE}
}

/** https://github.com/secure-systems-lab/dsse/blob/master/protocol.md */
function signedBundle(digest: Digest, key: SigningKey, hint: string): JsonObject {
  const payload = bytesOf({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{digest: {sha256: digest.slice('sha256:'.length)}}],
    ...{predicateType: SIGNATURE_TYPE, predicate: {}},
  })
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${IN_TOTO.length} ${IN_TOTO} ${payload.length} `),
    payload,
  ])
  return {
    mediaType: BUNDLE,
    verificationMaterial: {publicKey: {hint}},
    dsseEnvelope: {
      payload: base64(payload),
      payloadType: IN_TOTO,
      signatures: [{sig: base64(key.sign(signed))}],
    },
  }
}

/** Returns the hint by which a bundle names a key: its hash in base64. */
export function keyHint(keyHash: string): string {
  return Buffer.from(keyHash.slice('sha256:'.length), 'hex').toString('base64')
}

/** The index of the referrers of an image, for registries without an API for them, with one more. */
export function referrersIndex(listed: readonly Descriptor[], added: Image): Image {
  const manifests = [
    ...listed.map(descriptor => ({
      ...reference(descriptor),
      ...(descriptor.artifactType !== undefined && {artifactType: descriptor.artifactType}),
    })),
    listedSignature(added),
  ]
  const bytes = bytesOf({schemaVersion: 2, mediaType: INDEX, manifests})
  return {descriptor: descriptorOf(bytes, INDEX), bytes, images: [], layers: []}
}

const INDEX = 'application/vnd.oci.image.index.v1+json'

function reference({mediaType, digest, size}: Descriptor): JsonObject {
  return {mediaType, digest, size}
}

function descriptorOf(bytes: Uint8Array, mediaType: string): Descriptor {
  return {mediaType, digest: digestOf(bytes), size: bytes.length, annotations: {}}
}

function blobOf(bytes: Uint8Array, mediaType: string): Blob {
  return {descriptor: descriptorOf(bytes, mediaType), open: () => oneChunk(bytes)}
}

function bytesOf(document: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(document))
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
