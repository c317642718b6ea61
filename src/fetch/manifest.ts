import {CrossplaneError} from '../errors.js'
import {asText, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {readDescriptors} from './descriptor.js'
import type {Descriptor} from './image.js'
import {parseJsonObject} from './json-document.js'
import {mediaKind} from './media-types.js'
import type {MediaKind} from './media-types.js'
import {quoted} from '../text.js'

/** The content of a manifest document: the images of an index, or the config and layers of one image. */
export type Manifest = {
  /** The document's own, if it has one. */
  readonly mediaType: string
} & (
  | {readonly kind: 'index'; readonly manifests: readonly Descriptor[]}
  | {readonly kind: 'manifest'; readonly config?: Descriptor; readonly layers: readonly Descriptor[]}
)

/**
 * Reads a document of OCI or Docker (schema 2). `mediaType` is the one that its source states; the document's own
 * must agree with it, and its fields with that, so that no two programs interpret one document differently
 * (https://github.com/advisories/GHSA-mc8v-mgrf-8f4m). Throws `source-invalid` and, for schema 1, artifacts and
 * unknown types, `unsupported`.
 */
export function parseManifest(bytes: Uint8Array, mediaType: string, holder: string): Manifest {
  const document = parseJsonObject(bytes, holder)
  const kind = manifestKind(document, mediaType, holder)
  const stray = kind === 'index' ? ['layers', 'config', 'fsLayers'] : ['manifests', 'fsLayers']
  if (stray.some(field => document[field] !== undefined)) {
    throw new CrossplaneError('source-invalid', `${holder} has fields of both an index and an image`)
  }
  if (document['schemaVersion'] !== 2) {
    throw new CrossplaneError('source-invalid', `${holder} has a schemaVersion other than 2`)
  }
  const common = {mediaType: asText(document['mediaType']) || mediaType}
  if (kind === 'index') return {...common, kind, manifests: readDescriptors(document, 'manifests', holder)}
  return {
    ...common,
    kind,
    config: imageConfig(document, holder),
    layers: imageLayers(readDescriptors(document, 'layers', holder), holder),
  }
}

function manifestKind(document: JsonObject, mediaType: string, holder: string): 'index' | 'manifest' {
  const type = agreedType(document['mediaType'], mediaType, holder)
  const kind = type === undefined ? kindByShape(document) : mediaKind(type)
  if (document['schemaVersion'] === 1 || kind === 'schema1') throw schema1(holder)
  if (kind === 'index' || kind === 'manifest') return kind
  throw new CrossplaneError(
    'unsupported',
    `${holder} is not an image: ${type === undefined ? 'it has no media type' : `its media type is ${quoted(type)}`}`,
  )
}

/** Generic types: registries send them for documents with a `mediaType` of their own. */
const VAGUE = ['', 'application/json', 'application/octet-stream', 'text/plain']

/** Returns the type that the document and its source agree on; either may use Docker's name for it. */
function agreedType(own: JsonValue | undefined, mediaType: string, holder: string): string | undefined {
  const specific = VAGUE.includes(mediaType.replace(/;.*/s, '').trim()) ? undefined : mediaType
  if (typeof own !== 'string') return specific
  if (specific === undefined || mediaKind(own) === mediaKind(specific)) return own
  throw new CrossplaneError(
    'source-invalid',
    `${holder} has the media type ${quoted(own)}, but is served as ${quoted(specific)}`,
  )
}

/** OCI made `mediaType` optional: without it the fields decide. */
function kindByShape(document: JsonObject): MediaKind | undefined {
  if (document['manifests'] !== undefined) return 'index'
  return document['layers'] === undefined ? undefined : 'manifest'
}

function imageConfig({config}: JsonObject, holder: string): Descriptor | undefined {
  return config === undefined ? undefined : readDescriptors({config: [config]}, 'config', holder)[0]
}

function imageLayers(layers: readonly Descriptor[], holder: string): readonly Descriptor[] {
  const foreign = layers.find(({mediaType}) => mediaKind(mediaType) !== 'layer')
  if (foreign === undefined) return layers
  throw new CrossplaneError(
    'unsupported',
    `${holder} is not an image: ${quoted(foreign.mediaType)} is not a media type of layers`,
  )
}

function schema1(holder: string): CrossplaneError {
  return new CrossplaneError(
    'unsupported',
    `${holder} is a Docker schema 1 manifest, which is not supported`,
    {
      suggestions: ['Push the image again with a current tool, or convert it: skopeo copy --format v2s2.'],
    },
  )
}
