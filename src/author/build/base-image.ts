import {CrossplaneError} from '../../errors.js'
import {type Descriptor, readDescriptors} from '../../fetch/descriptor.js'
import type {ImageStore} from '../../fetch/image-store.js'
import type {Digest} from '../../fetch/image.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {isForeignLayer, mediaKind, ociType} from '../../fetch/media-types.js'
import type {Platform} from '../../fetch/platform.js'
import {quoted} from '../../text.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {listedImages, listedManifest, rootManifest, type StoredManifest} from '../../fetch/stored-manifest.js'
import {collectBytes, digestOf, verifiedBytes} from '../../fetch/verified-bytes.js'
import type {OutgoingBlob} from '../../registry/outgoing-image.js'
import {asObject, asTexts, type JsonObject} from '../../yaml/json-value.js'
import type {Annotations} from '../../registry/oci-parts.js'

/** An image to put a package on: one, or one for each platform. */
export interface BaseImage {
  readonly digest: Digest
  /** Its reference in a registry; absent for a local image, whose name means nothing elsewhere. */
  readonly name?: string
  readonly isIndex: boolean
  readonly annotations: Annotations
  readonly images: readonly PlatformImage[]
}

/** What one of them consists of. */
export interface PlatformImage {
  readonly platform?: Platform
  readonly annotations: Annotations
  readonly config: JsonObject
  readonly layers: readonly OutgoingBlob[]
}

/** How the image is known; `mountFrom` is its repository's path where the result goes to the same registry. */
export interface BaseOptions {
  readonly name?: string
  readonly mountFrom?: string
}

/**
 * Reads all of an image but its layers, which are opened when they are written. Throws `unsupported` for what holds no
 * image that runs, `source-invalid`, `digest-mismatch`, `limit-exceeded`.
 */
export async function readBase(store: ImageStore, options: BaseOptions = {}): Promise<BaseImage> {
  const root = await rootManifest(store)
  const images = await imagesIn({store, mountFrom: options.mountFrom}, root)
  if (images.length === 0) throw noImages(store)
  return {
    digest: digestOf(root.bytes),
    ...(options.name === undefined ? {} : {name: options.name}),
    isIndex: root.manifest.kind === 'index',
    annotations: annotationsOf(parseJsonObject(root.bytes, root.holder)),
    images,
  }
}

interface Reading {
  readonly store: ImageStore
  readonly mountFrom: string | undefined
}

/**
 * Reads the images of a document, those of indexes within it too. Leaves attestations out: they refer by digest to the
 * images listed beside them, whose digests change with another layer.
 */
async function imagesIn(
  reading: Reading,
  document: StoredManifest,
  entry?: Descriptor,
): Promise<PlatformImage[]> {
  const {manifest} = document
  if (manifest.kind === 'manifest') return [await platformImage(reading, document, manifest.layers, entry)]
  const images: PlatformImage[] = []
  for (const listed of listedImages(manifest.manifests))
    images.push(...(await imagesIn(reading, await listedManifest(reading.store, listed, document), listed)))
  return images
}

async function platformImage(
  reading: Reading,
  {bytes, holder}: StoredManifest,
  layers: readonly Descriptor[],
  entry: Descriptor | undefined,
): Promise<PlatformImage> {
  const manifest = parseJsonObject(bytes, holder)
  const config = await readConfig(reading.store, manifest, holder)
  expectLayers(config, layers, holder)
  const platform = entry?.platform
  return {
    ...(platform === undefined ? {} : {platform}),
    annotations: annotationsOf(manifest),
    config,
    layers: layers.map(layer => baseBlob(reading, layer)),
  }
}

async function readConfig(store: ImageStore, manifest: JsonObject, holder: string): Promise<JsonObject> {
  const [config] = readDescriptors({config: [manifest.config ?? null]}, 'config', holder)
  if (config === undefined || mediaKind(config.mediaType) !== 'config') {
    throw new CrossplaneError(
      'unsupported',
      `${holder} is not for a runnable image: its config has type ${quoted(config?.mediaType ?? '')}`,
    )
  }
  const name = `the config ${config.digest} of ${store.name}`
  const chunks = verifiedBytes(store.blob(config), config, name)
  return parseJsonObject(await collectBytes(chunks, SOURCE_LIMITS.manifestBytes, name), name)
}

function expectLayers(config: JsonObject, layers: readonly Descriptor[], holder: string): void {
  const diffIds = asTexts(asObject(config.rootfs).diff_ids)
  if (diffIds.length !== layers.length)
    throw new CrossplaneError(
      'source-invalid',
      `${holder} has ${layers.length} layers, but its config lists ${diffIds.length}`,
    )
  const foreign = layers.find(({mediaType}) => isForeignLayer(mediaType))
  if (foreign !== undefined) {
    throw new CrossplaneError(
      'unsupported',
      `${holder} has a layer that must not be distributed: ${quoted(foreign.mediaType)}`,
    )
  }
  if (layers.length >= SOURCE_LIMITS.layers)
    throw new CrossplaneError('limit-exceeded', `${holder} has ${layers.length} layers, which is the maximum`)
}

/** A layer of the base under OCI's name for its type; its bytes are the same. */
function baseBlob({store, mountFrom}: Reading, layer: Descriptor): OutgoingBlob {
  return {
    descriptor: {...layer, mediaType: ociType(layer.mediaType)},
    ...(mountFrom === undefined ? {} : {mountFrom}),
    open: () => store.blob(layer),
  }
}

function annotationsOf(document: JsonObject): Annotations {
  return Object.fromEntries(
    Object.entries(asObject(document.annotations)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

function noImages({name}: ImageStore): CrossplaneError {
  return new CrossplaneError('unsupported', `${name} has no image that can be a base`)
}
