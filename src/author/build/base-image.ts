import {CrossplaneError} from '../../errors.js'
import {type Descriptor, readDescriptors} from '../../fetch/descriptor.js'
import type {ImageStore} from '../../fetch/image-store.js'
import type {Digest} from '../../fetch/image.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {parseManifest} from '../../fetch/manifest.js'
import {mediaKind} from '../../fetch/media-types.js'
import type {Platform} from '../../fetch/platform.js'
import {quoted} from '../../text.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
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
  const root = await store.root()
  const holder = `the manifest of ${store.name}`
  const bytes = await collectBytes(
    verifiedBytes(root.bytes, root, holder),
    SOURCE_LIMITS.manifestBytes,
    holder,
  )
  const context = {store, mountFrom: options.mountFrom}
  const manifest = {bytes, mediaType: root.mediaType, holder}
  const isIndex = parseManifest(bytes, root.mediaType, holder).kind === 'index'
  const images = await imagesIn(context, manifest, undefined, 0)
  if (images.length === 0) throw noImages(store)
  return {
    digest: digestOf(bytes),
    ...(options.name === undefined ? {} : {name: options.name}),
    isIndex,
    annotations: annotationsOf(parseJsonObject(bytes, holder)),
    images,
  }
}

interface Reading {
  readonly store: ImageStore
  readonly mountFrom: string | undefined
}

interface Document {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly holder: string
}

/** The images of a document, those of indexes within it too. */
async function imagesIn(
  reading: Reading,
  document: Document,
  entry: Descriptor | undefined,
  depth: number,
): Promise<PlatformImage[]> {
  const manifest = parseManifest(document.bytes, document.mediaType, document.holder)
  if (manifest.kind === 'manifest') return [await platformImage(reading, document, manifest.layers, entry)]
  if (depth === SOURCE_LIMITS.indexDepth) throw tooDeep(reading.store)
  const images: PlatformImage[] = []
  for (const listed of manifest.manifests.filter(isImage))
    images.push(...(await imagesIn(reading, await listedDocument(reading.store, listed), listed, depth + 1)))
  return images
}

/**
 * Leaves attestations out: they refer by digest to the images listed beside them. With another layer the digests
 * change, and the attestations no longer hold.
 */
function isImage({mediaType, annotations, platform}: Descriptor): boolean {
  const kind = mediaKind(mediaType)
  if (kind !== 'index' && kind !== 'manifest') return false
  return annotations['vnd.docker.reference.type'] === undefined && platform?.os !== 'unknown'
}

async function listedDocument(store: ImageStore, listed: Descriptor): Promise<Document> {
  const holder = `the manifest ${listed.digest} of ${store.name}`
  const chunks = verifiedBytes(store.manifest(listed), listed, holder)
  const bytes = await collectBytes(chunks, SOURCE_LIMITS.manifestBytes, holder)
  return {bytes, mediaType: listed.mediaType, holder}
}

async function platformImage(
  reading: Reading,
  {bytes, holder}: Document,
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

/** Both say the same in the same words. */
const CONFIG_TYPES: readonly string[] = [
  'application/vnd.oci.image.config.v1+json',
  'application/vnd.docker.container.image.v1+json',
]

async function readConfig(store: ImageStore, manifest: JsonObject, holder: string): Promise<JsonObject> {
  const [config] = readDescriptors({config: [manifest.config ?? null]}, 'config', holder)
  if (config === undefined || !CONFIG_TYPES.includes(config.mediaType)) {
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
  const foreign = layers.find(({mediaType}) => /foreign|nondistributable/.test(mediaType))
  if (foreign !== undefined) {
    throw new CrossplaneError(
      'unsupported',
      `${holder} has a layer that must not be distributed: ${quoted(foreign.mediaType)}`,
    )
  }
  if (layers.length >= SOURCE_LIMITS.layers)
    throw new CrossplaneError('limit-exceeded', `${holder} has ${layers.length} layers, which is the maximum`)
}

const LAYER_TYPE = /^application\/vnd\.docker\.image\.rootfs\.diff\.tar(?:\.(gzip|zstd))?$/

/** A layer of the base under OCI's name for its type; its bytes are the same. */
function baseBlob({store, mountFrom}: Reading, layer: Descriptor): OutgoingBlob {
  const [isDocker, compression] = LAYER_TYPE.exec(layer.mediaType) ?? []
  const suffix = compression === undefined ? '' : `+${compression}`
  const mediaType =
    isDocker === undefined ? layer.mediaType : `application/vnd.oci.image.layer.v1.tar${suffix}`
  return {
    descriptor: {...layer, mediaType},
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

function tooDeep({name}: ImageStore): CrossplaneError {
  return new CrossplaneError(
    'limit-exceeded',
    `${name} nests indexes more than ${SOURCE_LIMITS.indexDepth} deep`,
  )
}
