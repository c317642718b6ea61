import type {Descriptor} from '../../fetch/image.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import {asObject, asObjects, type JsonObject} from '../../yaml/json-value.js'
import {type Annotations, descriptorJson} from '../../fetch/oci-parts.js'

/** The file that marks a folder as a layout: https://github.com/opencontainers/image-spec/blob/v1.1.1/image-layout.md */
export const LAYOUT_FILE = 'oci-layout'
export const LAYOUT_VERSION = {imageLayoutVersion: '1.0.0'}
export const INDEX_FILE = 'index.json'

/** The annotation with the tag of an image. */
const REF_NAME = 'org.opencontainers.image.ref.name'

/** The index of a layout with one more image, which replaces the one with the same tag; `existing` is the current index. */
export function layoutIndex(
  root: Descriptor,
  tag: string | undefined,
  existing?: {readonly bytes: Uint8Array; readonly holder: string},
): Uint8Array {
  const before: JsonObject = existing === undefined ? {} : parseJsonObject(existing.bytes, existing.holder)
  const others = asObjects(before.manifests).filter(
    entry => refName(entry) !== tag || (tag === undefined && entry.digest !== root.digest),
  )
  const annotations: Annotations = tag === undefined ? {} : {[REF_NAME]: tag}
  const index = {
    ...before,
    schemaVersion: 2,
    mediaType: OCI_TYPES.index,
    manifests: [...others, descriptorJson({...root, annotations})],
  }
  return Buffer.from(JSON.stringify(index))
}

function refName(entry: JsonObject): unknown {
  return asObject(entry.annotations)[REF_NAME]
}
