import type {Blob, Image} from '../../fetch/image.js'
import {ociType, OCI_TYPES} from '../../fetch/media-types.js'
import {EXAMPLES_LAYER_FOLDER, XPKG_BASE, XPKG_EXAMPLES, XPKG_LAYER} from '../../fetch/xpkg-layer.js'
import {type Annotations, blobOf, imageOf, indexOf, rootfs, sortedAnnotations} from '../../fetch/oci-parts.js'
import {asObject, asObjects, asTexts, type JsonObject} from '../../yaml/json-value.js'
import {STREAM_FILE} from '../../xpkg/image/xpkg-stream.js'
import type {BaseImage} from './base-image.js'
import {platformOfConfig} from './image-over-base.js'
import {configBytes, createdField, historyEntry} from './package-image.js'
import {fileLayer, type PackageLayer} from './package-layer.js'

/** The input of the image of a package for a current Crossplane. */
export interface XpkgInput {
  /** The `package.yaml`. */
  readonly stream: Uint8Array
  /** The stream of examples, which the core does not read. */
  readonly examples?: Uint8Array
  /** The image of the program that the package runs. */
  readonly runtime?: BaseImage
  /** The creation time to record, in seconds since 1970; without it, none is recorded. */
  readonly epoch?: number
}

/** The file of examples, as `crossplane xpkg build` names it. */
const EXAMPLES_FILE = `${EXAMPLES_LAYER_FOLDER}/examples.yaml`

/**
 * Creates the image of a package for a current Crossplane, with the layers, annotations and labels that `crossplane xpkg build`
 * and `push` give it: the same input gives the same bytes on every machine. An index of runtimes stays an index.
 */
export function xpkgImage({stream, examples, runtime, epoch}: XpkgInput): Image {
  const mtime = epoch ?? 0
  const layers = [
    fileLayer({path: STREAM_FILE, bytes: stream}, mtime, {[XPKG_LAYER]: XPKG_BASE}),
    ...(examples === undefined
      ? []
      : [fileLayer({path: EXAMPLES_FILE, bytes: examples}, mtime, {[XPKG_LAYER]: XPKG_EXAMPLES})]),
  ]
  const created = epoch === undefined ? undefined : new Date(epoch * 1000).toISOString().replace('.000Z', 'Z')
  if (runtime === undefined) return imageWith([], NO_PROGRAM, {layers, created})
  const images = runtime.platforms.map(({image, config}) => over(image, config, {layers, created}))
  const [first] = images
  return first !== undefined && runtime.root.images === undefined ? first : indexOf(images, {})
}

/** The config of an image without a program, which is for no platform. */
const NO_PROGRAM: JsonObject = {architecture: '', os: ''}

interface Addition {
  readonly layers: readonly PackageLayer[]
  readonly created?: string
}

function over(base: Image, config: JsonObject, addition: Addition): Image {
  const image = imageWith(base.layers.map(runtimeLayer), config, addition)
  const platform = base.descriptor.platform ?? platformOfConfig(config)
  return {...image, descriptor: {...image.descriptor, platform}}
}

/** A runtime can be a package itself, whose layers must not be found beside the new ones. */
function runtimeLayer(layer: Blob): Blob {
  const {descriptor} = layer
  const {[XPKG_LAYER]: _mark, ...annotations} = descriptor.annotations
  return {...layer, descriptor: {...descriptor, mediaType: ociType(descriptor.mediaType), annotations}}
}

function imageWith(below: readonly Blob[], config: JsonObject, {layers, created}: Addition): Image {
  const extended = {
    ...config,
    ...createdField({created}),
    config: {...asObject(config.config), Labels: labelsOf(layers)},
    rootfs: rootfs([...asTexts(asObject(config.rootfs).diff_ids), ...layers.map(({diffId}) => diffId)]),
    history: [...asObjects(config.history), ...layers.map(() => historyEntry({created}))],
  }
  const blob = blobOf(OCI_TYPES.config, configBytes(extended))
  return imageOf(blob, [...below, ...layers.map(layer => layer.blob)], {})
}

/** Repeats the annotations of layers, which archives of Docker do not have; labels of the runtime are replaced. */
function labelsOf(layers: readonly PackageLayer[]): Annotations {
  const labels = layers.map(({blob: {descriptor}}) => [
    `${XPKG_LAYER}:${descriptor.digest}`,
    descriptor.annotations[XPKG_LAYER] ?? '',
  ])
  return sortedAnnotations(Object.fromEntries(labels) as Annotations)
}
