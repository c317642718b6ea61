import {REGISTRY_LAYER} from '../../fetch/registry-layer.js'
import {OCI_TYPES} from '../../fetch/media-types.js'
import type {Platform} from '../../fetch/platform.js'
import type {OutgoingBlob, OutgoingImage, OutgoingManifest} from '../../registry/outgoing-image.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import type {BaseImage, PlatformImage} from './base-image.js'
import {baseAnnotations, withoutImageAnnotations} from './image-annotations.js'
import {
  type Annotations,
  annotationsField,
  blobOf,
  descriptorJson,
  imageManifest,
  manifestOf,
  rootfs,
  sortedAnnotations,
} from '../../registry/oci-parts.js'
import {configBytes, createdField, historyEntry, type ImageFacts} from './package-image.js'
import type {PackageLayer} from './package-layer.js'

/**
 * The base with one layer more, for each of its platforms. What the base says of itself as a whole (title, version, …)
 * is replaced by what the package says; how it runs stays. An index stays an index, whatever it holds.
 */
export function imageOverBase(base: BaseImage, layer: PackageLayer, facts: ImageFacts): OutgoingImage {
  const own = {...facts.annotations, ...baseAnnotations(base.digest, base.name)}
  const built = base.images.map(image => platformImage(image, layer, {...facts, annotations: own}))
  const manifests = built.map(({manifest}) => manifest)
  const blobs = [...built.flatMap(image => image.blobs), layer.blob]
  const [first] = manifests
  if (first !== undefined && !base.isIndex) return {blobs: unique(blobs), manifests, root: first.descriptor}
  const index = manifestOf({
    schemaVersion: 2,
    mediaType: OCI_TYPES.index,
    manifests: built.map(({manifest, platform}) => descriptorJson({...manifest.descriptor, platform})),
    ...annotationsField({...withoutImageAnnotations(base.annotations), ...own}),
  })
  return {blobs: unique(blobs), manifests: [...manifests, index], root: index.descriptor}
}

interface BuiltPlatform {
  readonly platform: Platform
  readonly manifest: OutgoingManifest
  readonly blobs: readonly OutgoingBlob[]
}

function platformImage(image: PlatformImage, layer: PackageLayer, facts: ImageFacts): BuiltPlatform {
  const config = blobOf(OCI_TYPES.config, configBytes(extendedConfig(image.config, layer, facts)))
  const annotations = {...withoutImageAnnotations(image.annotations), ...facts.annotations}
  const layers = [...image.layers.map(({descriptor}) => withoutMark(descriptor)), layer.blob.descriptor]
  return {
    platform: image.platform ?? platformOf(image.config),
    manifest: imageManifest(config.descriptor, layers, annotations),
    blobs: [...image.layers, config],
  }
}

/** A base that was built here holds a `.registry/` no more: the layer on top hides it. */
function withoutMark<D extends {readonly annotations: Annotations}>(descriptor: D): D {
  const {[REGISTRY_LAYER]: _mark, ...annotations} = descriptor.annotations
  return {...descriptor, annotations}
}

function platformOf({os, architecture, variant}: JsonObject): Platform {
  return {
    os: asText(os) || 'linux',
    architecture: asText(architecture) || 'amd64',
    ...(asText(variant) === '' ? {} : {variant: asText(variant)}),
  }
}

function extendedConfig(base: JsonObject, layer: PackageLayer, facts: ImageFacts): JsonObject {
  const settings = asObject(base.config)
  const labels = Object.entries(asObject(settings.Labels)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const kept = withoutImageAnnotations(Object.fromEntries(labels))
  return {
    ...base,
    ...createdField(facts),
    config: {...settings, Labels: sortedAnnotations({...kept, ...facts.annotations})},
    rootfs: rootfs([...asTexts(asObject(base.rootfs).diff_ids), layer.diffId]),
    history: [...asObjects(base.history), historyEntry(facts)],
  }
}

/** Platforms share layers now and then. */
function unique(blobs: readonly OutgoingBlob[]): OutgoingBlob[] {
  return [...new Map(blobs.map(blob => [blob.descriptor.digest, blob])).values()]
}
