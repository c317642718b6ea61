import {CrossplaneError} from '../errors.js'
import {readDescriptors} from '../fetch/descriptor.js'
import type {Descriptor} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {isForeignLayer, mediaKind} from '../fetch/media-types.js'
import {asText, type JsonObject} from '../yaml/json-value.js'

/** What a manifest or an index refers to. */
export interface DocumentLinks {
  readonly isIndex: boolean
  readonly manifests: readonly Descriptor[]
  readonly config?: Descriptor
  /** Without those that only their vendor may distribute. */
  readonly layers: readonly Descriptor[]
}

/**
 * Reads the links of a document. Unlike `parseManifest`, this reads attestations, signatures and other artifacts, too: they
 * are copied and not interpreted. Throws `source-invalid`, and `unsupported` for Docker's schema 1.
 */
export function documentLinks(bytes: Uint8Array, mediaType: string, holder: string): DocumentLinks {
  const document = parseJsonObject(bytes, holder)
  const isIndex = document['manifests'] !== undefined
  expectOneKind(document, {isIndex, mediaType, holder})
  if (isIndex) return {isIndex, manifests: readDescriptors(document, 'manifests', holder), layers: []}
  const [config] =
    document['config'] === undefined ? [] : readDescriptors({config: [document['config']]}, 'config', holder)
  const layers = document['layers'] === undefined ? [] : readDescriptors(document, 'layers', holder)
  return {
    isIndex,
    manifests: [],
    ...(config === undefined ? {} : {config}),
    layers: layers.filter(layer => !isForeignLayer(layer.mediaType)),
  }
}

interface StatedKind {
  readonly isIndex: boolean
  readonly mediaType: string
  readonly holder: string
}

/** No two programs may read one document in two ways: https://github.com/advisories/GHSA-mc8v-mgrf-8f4m */
function expectOneKind(document: JsonObject, {isIndex, mediaType, holder}: StatedKind): void {
  const kinds = [mediaKind(mediaType), mediaKind(asText(document['mediaType']))]
  if (kinds.includes('schema1') || document['schemaVersion'] === 1)
    throw new CrossplaneError(
      'unsupported',
      `${holder} is a Docker schema 1 manifest, which is not supported`,
    )
  const other = isIndex ? 'manifest' : 'index'
  const strayFields = isIndex ? ['layers', 'config'] : []
  if (!kinds.includes(other) && strayFields.every(field => document[field] === undefined)) return
  throw new CrossplaneError('source-invalid', `${holder} has fields of both an index and an image`)
}
