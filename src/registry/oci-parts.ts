import type {Descriptor} from '../fetch/descriptor.js'
import {OCI_TYPES} from '../fetch/media-types.js'
import {digestOf} from '../fetch/verified-bytes.js'
import type {OutgoingBlob, OutgoingManifest} from './outgoing-image.js'
import {oneChunk} from '../http/one-chunk.js'
import type {JsonObject, JsonValue} from '../yaml/json-value.js'

/** The annotations of an image or a descriptor, by key. */
export type Annotations = Readonly<Record<string, string>>

/** Creates a blob of an image from bytes in memory. */
export function blobOf(mediaType: string, bytes: Uint8Array, annotations: Annotations = {}): OutgoingBlob {
  const descriptor = {mediaType, digest: digestOf(bytes), size: bytes.length, annotations}
  return {descriptor, open: () => oneChunk(bytes)}
}

/** A document of an image; the order of its fields is the order of its bytes. */
export function manifestOf(document: {readonly mediaType: string} & JsonObject): OutgoingManifest {
  const bytes = Buffer.from(JSON.stringify(document))
  return {
    bytes,
    descriptor: {
      mediaType: document.mediaType,
      digest: digestOf(bytes),
      size: bytes.length,
      annotations: {},
    },
  }
}

/** A descriptor as documents hold it. */
export function descriptorJson({mediaType, digest, size, platform, annotations}: Descriptor): JsonObject {
  return {
    mediaType,
    digest,
    size,
    ...(platform === undefined ? {} : {platform: {...platform}}),
    ...annotationsField(annotations),
  }
}

/** The field that holds annotations, sorted by key; none for none. */
export function annotationsField(annotations: Annotations): {readonly annotations?: JsonValue} {
  const sorted = sortedAnnotations(annotations)
  return Object.keys(sorted).length === 0 ? {} : {annotations: sorted}
}

export function sortedAnnotations(annotations: Annotations): Annotations {
  return Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The manifest of one image. */
export function imageManifest(
  config: Descriptor,
  layers: readonly Descriptor[],
  annotations: Annotations,
): OutgoingManifest {
  return manifestOf({
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    config: descriptorJson(config),
    layers: layers.map(descriptorJson),
    ...annotationsField(annotations),
  })
}

/** What a config says of its layers. */
export function rootfs(diffIds: readonly string[]): JsonObject {
  return {type: 'layers', diff_ids: diffIds}
}
