import type {Blob, Image} from '../../fetch/image.js'
import {ociType, OCI_TYPES} from '../../fetch/media-types.js'
import {blobOf, imageOf, indexOf, rootfs, sortedAnnotations} from '../../fetch/oci-parts.js'
import type {Platform} from '../../fetch/platform.js'
import {REGISTRY_LAYER} from '../../fetch/registry-layer.js'
import {asObject, asObjects, asText, asTexts, type JsonObject} from '../../yaml/json-value.js'
import type {BaseImage} from './base-image.js'
import {annotationsOf, baseAnnotations, textsOf, withoutImageAnnotations} from './image-annotations.js'
import {configBytes, createdField, historyEntry, type ImageFacts} from './package-image.js'
import type {PackageLayer} from './package-layer.js'

/**
 * Adds layers to the base, for each of its platforms. Annotations of the base as a whole (title, version, …) are
 * replaced by those of the package; its command stays. An index stays an index.
 */
export function imageOverBase(base: BaseImage, layers: readonly PackageLayer[], facts: ImageFacts): Image {
  const {root, name, platforms} = base
  const own = {...facts.annotations, ...baseAnnotations(root.descriptor.digest, name)}
  const images = platforms.map(({image, config}) =>
    platformImage(image, config, layers, {...facts, annotations: own}),
  )
  const [first] = images
  if (first !== undefined && root.images === undefined) return first
  return indexOf(images, {...withoutImageAnnotations(annotationsOf(root)), ...own})
}

function platformImage(
  base: Image,
  config: JsonObject,
  layers: readonly PackageLayer[],
  facts: ImageFacts,
): Image {
  const extended = blobOf(OCI_TYPES.config, configBytes(extendedConfig(config, layers, facts)))
  const annotations = {...withoutImageAnnotations(annotationsOf(base)), ...facts.annotations}
  const image = imageOf(
    extended,
    [...base.layers.map(baseLayer), ...layers.map(({blob}) => blob)],
    annotations,
  )
  return {
    ...image,
    descriptor: {...image.descriptor, platform: base.descriptor.platform ?? platformOfConfig(config)},
  }
}

/**
 * The same bytes with OCI's media types, and without the annotation of a layer that contains `.registry/`: the layer
 * on top hides it.
 */
function baseLayer(layer: Blob): Blob {
  const {descriptor} = layer
  const {[REGISTRY_LAYER]: _mark, ...annotations} = descriptor.annotations
  return {...layer, descriptor: {...descriptor, mediaType: ociType(descriptor.mediaType), annotations}}
}

/** Returns the platform in the config of an image. */
export function platformOfConfig({os, architecture, variant}: JsonObject): Platform {
  return {
    os: asText(os) || 'linux',
    architecture: asText(architecture) || 'amd64',
    ...(asText(variant) === '' ? {} : {variant: asText(variant)}),
  }
}

function extendedConfig(base: JsonObject, layers: readonly PackageLayer[], facts: ImageFacts): JsonObject {
  const settings = asObject(base.config)
  const kept = withoutImageAnnotations(textsOf(settings.Labels))
  return {
    ...base,
    ...createdField(facts),
    config: {...settings, Labels: sortedAnnotations({...kept, ...facts.annotations})},
    rootfs: rootfs([...asTexts(asObject(base.rootfs).diff_ids), ...layers.map(({diffId}) => diffId)]),
    history: [...asObjects(base.history), ...layers.map(() => historyEntry(facts))],
  }
}
