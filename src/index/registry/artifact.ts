import {CrossplaneError} from '../../errors.js'
import {readDescriptors} from '../../fetch/descriptor.js'
import type {Descriptor, Image} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {quoted} from '../../text.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes, digestOf, verifiedBytes} from '../../fetch/verified-bytes.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import {blobOf, described, descriptorJson} from '../../fetch/oci-parts.js'
import {asObjects, asText, type JsonObject} from '../../yaml/json-value.js'
import {MAX_DOCUMENT_BYTES} from '../entry/read-document.js'

/** The kinds of documents that tags of an index refer to. */
export type DocumentKind = 'root' | 'entry' | 'yank' | 'marker' | 'snapshot' | 'correction'

/** The size limit of a snapshot: as base64, one fits into a document of the cache. */
export const MAX_SNAPSHOT_BYTES = 8 * 1024 * 1024

/** Registries limit manifests to 4 MiB; longer documents are stored in the layer only. */
const MAX_EMBEDDED_BYTES = 1024 * 1024

/** https://github.com/opencontainers/image-spec/blob/v1.1.1/manifest.md#guidance-for-an-empty-descriptor */
const EMPTY = Buffer.from('{}')

function mediaTypeOf(kind: DocumentKind): string {
  return `application/vnd.kubectl-crossplane.index.${kind}.v1+json`
}

/**
 * Returns a document as an artifact with one layer. The layer's descriptor embeds the bytes of documents up to 1 MiB, so
 * that reading one takes a single request.
 */
export function documentImage(kind: DocumentKind, bytes: Uint8Array): Image {
  const type = mediaTypeOf(kind)
  const document = described({
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    artifactType: type,
    config: withData(OCI_TYPES.empty, EMPTY),
    layers: [bytes.length > MAX_EMBEDDED_BYTES ? withoutData(type, bytes) : withData(type, bytes)],
  })
  return {...document, config: blobOf(OCI_TYPES.empty, EMPTY), layers: [blobOf(type, bytes)]}
}

function withData(mediaType: string, bytes: Uint8Array): JsonObject {
  return {...withoutData(mediaType, bytes), data: Buffer.from(bytes).toString('base64')}
}

function withoutData(mediaType: string, bytes: Uint8Array): JsonObject {
  return descriptorJson(blobOf(mediaType, bytes).descriptor)
}

/**
 * Reads the document of an artifact and verifies its digest. Throws `index-invalid` for any other artifact or image,
 * `limit-exceeded`, `digest-mismatch`, and the errors of the registry.
 */
export async function readDocument(store: ImageStore, kind: DocumentKind): Promise<Uint8Array> {
  const {bytes} = await store.root()
  const manifest = await collectBytes(bytes, SOURCE_LIMITS.manifestBytes, store.name)
  const {layer, data} = onlyLayer(parseJsonObject(manifest, store.name), kind, store.name)
  const limit = kind === 'snapshot' ? MAX_SNAPSHOT_BYTES : MAX_DOCUMENT_BYTES
  if (layer.size > limit) {
    throw new CrossplaneError(
      'limit-exceeded',
      `${store.name} is a document of ${layer.size} bytes; the limit is ${limit}`,
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
    const actual = typeof own === 'string' ? quoted(own) : 'missing'
    throw new CrossplaneError(
      'index-invalid',
      `${name} is not an index ${kind}: its artifact type is ${actual}`,
    )
  }
  const [layer, ...others] = readDescriptors(manifest, 'layers', name)
  if (layer?.mediaType !== type || others.length > 0) {
    throw new CrossplaneError('index-invalid', `${name} must have one layer, of type ${type}`)
  }
  return {layer, data: asText(asObjects(manifest.layers)[0]?.data)}
}
