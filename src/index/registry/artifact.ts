import {CrossplaneError} from '../../errors.js'
import {type Descriptor, readDescriptors} from '../../fetch/descriptor.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {quoted} from '../../text.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes, digestOf, verifiedBytes} from '../../fetch/verified-bytes.js'
import {blobOf, descriptorJson, manifestOf, OCI_TYPES} from '../../registry/oci-parts.js'
import type {OutgoingImage} from '../../registry/outgoing-image.js'
import {asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {MAX_DOCUMENT_BYTES} from '../entry/read-document.js'

/** What a tag of an index leads to. */
export type DocumentKind = 'root' | 'entry' | 'yank' | 'marker'

/** https://github.com/opencontainers/image-spec/blob/v1.1.1/manifest.md#guidance-for-an-empty-descriptor */
const EMPTY_TYPE = 'application/vnd.oci.empty.v1+json'
const EMPTY = Buffer.from('{}')

function mediaTypeOf(kind: DocumentKind): string {
  return `application/vnd.kubectl-crossplane.index.${kind}.v1+json`
}

/**
 * A document as an artifact: its one layer, whose descriptor holds the bytes as well, so that whoever has read the
 * manifest need not ask again.
 */
export function documentImage(kind: DocumentKind, bytes: Uint8Array): OutgoingImage {
  const type = mediaTypeOf(kind)
  const manifest = manifestOf({
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    artifactType: type,
    config: withData(EMPTY_TYPE, EMPTY),
    layers: [withData(type, bytes)],
  })
  const blobs = [blobOf(EMPTY_TYPE, EMPTY), blobOf(type, bytes)]
  return {blobs, manifests: [manifest], root: manifest.descriptor}
}

function withData(mediaType: string, bytes: Uint8Array): JsonObject {
  const {descriptor} = blobOf(mediaType, bytes)
  return {...descriptorJson(descriptor), data: Buffer.from(bytes).toString('base64')}
}

/**
 * The document of an artifact, every byte checked. Throws `index-invalid` for an artifact or image that is something
 * else, `limit-exceeded`, `digest-mismatch`, and what the registry throws.
 */
export async function readDocument(store: ImageStore, kind: DocumentKind): Promise<Uint8Array> {
  const {bytes} = await store.root()
  const manifest = await collectBytes(bytes, SOURCE_LIMITS.manifestBytes, store.name)
  const {layer, data} = onlyLayer(parseJsonObject(manifest, store.name), kind, store.name)
  if (layer.size > MAX_DOCUMENT_BYTES) {
    throw new CrossplaneError(
      'limit-exceeded',
      `${store.name} is a document of ${layer.size} bytes, and one of an index has up to ${MAX_DOCUMENT_BYTES}`,
    )
  }
  const embedded = Buffer.from(data, 'base64')
  if (embedded.length === layer.size && digestOf(embedded) === layer.digest) return embedded
  return await collectBytes(verifiedBytes(store.blob(layer), layer, store.name), layer.size, store.name)
}

function onlyLayer(
  manifest: JsonObject,
  kind: DocumentKind,
  name: string,
): {readonly layer: Descriptor; readonly data: string} {
  const type = mediaTypeOf(kind)
  const own = manifest.artifactType ?? manifest.mediaType
  if (manifest.artifactType !== type) {
    const found = typeof own === 'string' ? quoted(own) : 'something without a type'
    throw new CrossplaneError('index-invalid', `${name} is no ${kind} of an index but ${found}`)
  }
  const [layer, ...others] = readDescriptors(manifest, 'layers', name)
  if (layer?.mediaType !== type || others.length > 0) {
    throw new CrossplaneError('index-invalid', `${name} is to have one layer, of the type ${type}`)
  }
  return {layer, data: asText(asObjects(manifest.layers)[0]?.data)}
}
