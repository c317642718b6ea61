import {stringsOf} from '../fetch/descriptor.js'
import type {Blob, Descriptor, Digest, Image} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {sortedAnnotations} from '../fetch/oci-parts.js'
import {digestOf} from '../fetch/verified-bytes.js'
import {oneChunk} from '../http/one-chunk.js'
import {asObject, asText, type JsonObject} from '../yaml/json-value.js'
import type {Signer} from './signer.js'
import type {Statement} from './statement.js'

const BUNDLE = 'application/vnd.dev.sigstore.bundle.v0.3+json'
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const IN_TOTO = 'application/vnd.in-toto+json'

/** Signs a statement about an image as cosign does: returns the artifact that refers to it. Throws as the signer does. */
export async function signedStatement(
  image: Descriptor,
  statement: Statement,
  signer: Signer,
): Promise<Image> {
  const bundle = bytesOf(await signedBundle(image.digest, statement, signer))
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
      'dev.sigstore.bundle.predicateType': statement.predicateType,
    },
  })
  return {descriptor: descriptorOf(manifest, MANIFEST), bytes: manifest, config, layers: [layer]}
}

/** Reports whether the manifest of an artifact says what it is about. */
export function namesSubject({bytes, descriptor}: Image): boolean {
  return parseJsonObject(bytes, descriptor.digest)['subject'] !== undefined
}

/** Returns an artifact whose manifest does not say what it is about; what was signed does. */
export function withoutSubject(artifact: Image): Image {
  const {subject: _subject, ...manifest} = parseJsonObject(artifact.bytes, artifact.descriptor.digest)
  const bytes = bytesOf(manifest)
  return {...artifact, bytes, descriptor: descriptorOf(bytes, artifact.descriptor.mediaType)}
}

/**
 * The descriptor by which a list of referrers has an artifact: with its type and annotations, as the API for referrers has them.
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pushing-manifests-with-subject
 */
function listedArtifact({descriptor, bytes}: Image): JsonObject {
  const {artifactType, config, annotations} = parseJsonObject(bytes, descriptor.digest)
  const type = asText(artifactType) || asText(asObject(config)['mediaType'])
  return listed({...descriptor, artifactType: type, annotations: stringsOf(annotations)})
}

function listed(descriptor: Descriptor): JsonObject {
  const {artifactType = '', annotations} = descriptor
  return {
    ...reference(descriptor),
    ...(artifactType !== '' && {artifactType}),
    ...(Object.keys(annotations).length > 0 && {annotations: sortedAnnotations(annotations)}),
  }
}

async function signedBundle(
  digest: Digest,
  {predicateType, predicate}: Statement,
  signer: Signer,
): Promise<JsonObject> {
  const payload = bytesOf({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{digest: {sha256: digest.slice('sha256:'.length)}}],
    ...{predicateType, predicate},
  })
  const {signature, verificationMaterial} = await signer.seal({payload, payloadType: IN_TOTO})
  return {
    mediaType: BUNDLE,
    verificationMaterial,
    dsseEnvelope: {
      payload: base64(payload),
      payloadType: IN_TOTO,
      signatures: [{sig: base64(signature)}],
    },
  }
}

/** The index of the referrers of an image, for registries without an API for them, with more. */
export function referrersIndex(former: readonly Descriptor[], added: readonly Image[]): Image {
  const manifests = [...former.map(listed), ...added.map(listedArtifact)]
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
