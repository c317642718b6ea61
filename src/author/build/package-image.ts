import {OCI_TYPES} from '../../fetch/media-types.js'
import type {JsonObject} from '../../yaml/json-value.js'
import type {Image} from '../../fetch/image.js'
import {type Annotations, blobOf, imageOf, rootfs, sortedAnnotations} from '../../fetch/oci-parts.js'
import type {PackageLayer} from './package-layer.js'

/** The annotations of an image. `created` is in RFC 3339; without it the image has no date. */
export interface ImageFacts {
  readonly annotations: Annotations
  readonly created?: string
}

/**
 * Creates an image of the package's files alone. They are the same on every platform, but a config must name one: the
 * most common. No runtime compares it when it pulls an image that has no index (docs/decisions/0009).
 */
export function packageImage(layers: readonly PackageLayer[], facts: ImageFacts): Image {
  const config = blobOf(
    OCI_TYPES.config,
    configBytes({
      ...createdField(facts),
      architecture: 'amd64',
      os: 'linux',
      config: {Labels: sortedAnnotations(facts.annotations)},
      rootfs: rootfs(layers.map(({diffId}) => diffId)),
      history: layers.map(() => historyEntry(facts)),
    }),
  )
  return imageOf(
    config,
    layers.map(({blob}) => blob),
    facts.annotations,
  )
}

export function configBytes(config: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify(config))
}

/** The history entry of the layer in a config. */
export function historyEntry(facts: Pick<ImageFacts, 'created'>): JsonObject {
  return {...createdField(facts), created_by: 'kubectl crossplane package build'}
}

export function createdField({created}: Pick<ImageFacts, 'created'>): {readonly created?: string} {
  return created === undefined ? {} : {created}
}
