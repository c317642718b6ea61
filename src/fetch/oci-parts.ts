import {oneChunk} from '../http/one-chunk.js'
import type {Blob, Descriptor, Image} from './image.js'
import {OCI_TYPES} from './media-types.js'
import {digestOf} from './verified-bytes.js'
import type {JsonObject, JsonValue} from '../yaml/json-value.js'

/** The annotations of an image or a descriptor, by key. */
export type Annotations = Readonly<Record<string, string>>

/** Creates a blob of an image from bytes in memory. */
export function blobOf(mediaType: string, bytes: Uint8Array, annotations: Annotations = {}): Blob {
  const descriptor = {mediaType, digest: digestOf(bytes), size: bytes.length, annotations}
  return {descriptor, open: () => oneChunk(bytes)}
}

/** Creates an index of images; the order of a document's fields is the order of its bytes. */
export function indexOf(images: readonly Image[], annotations: Annotations): Image {
  const document = {
    schemaVersion: 2,
    mediaType: OCI_TYPES.index,
    manifests: images.map(({descriptor}) => descriptorJson(descriptor)),
    ...annotationsField(annotations),
  }
  return {...described(document), images, layers: []}
}

/** Creates an image of a config and layers. */
export function imageOf(config: Blob, layers: readonly Blob[], annotations: Annotations): Image {
  const document = {
    schemaVersion: 2,
    mediaType: OCI_TYPES.manifest,
    config: descriptorJson(config.descriptor),
    layers: layers.map(({descriptor}) => descriptorJson(descriptor)),
    ...annotationsField(annotations),
  }
  return {...described(document), config, layers}
}

/** Describes a document of an image. */
export function described(
  document: {readonly mediaType: string} & JsonObject,
): Pick<Image, 'descriptor' | 'bytes'> {
  const bytes = Buffer.from(JSON.stringify(document))
  return {bytes, descriptor: blobOf(document.mediaType, bytes).descriptor}
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

/** Returns the field that holds annotations, sorted by key; no field if there are no annotations. */
function annotationsField(annotations: Annotations): {readonly annotations?: JsonValue} {
  const sorted = sortedAnnotations(annotations)
  return Object.keys(sorted).length === 0 ? {} : {annotations: sorted}
}

export function sortedAnnotations(annotations: Annotations): Annotations {
  return Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The layers of a config. */
export function rootfs(diffIds: readonly string[]): JsonObject {
  return {type: 'layers', diff_ids: diffIds}
}
