import {CrossplaneError} from '../../errors.js'
import {type Image, platformImages} from '../../fetch/image.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {isForeignLayer, mediaKind} from '../../fetch/media-types.js'
import {listedImages, manifestName, readImage} from '../../fetch/read-image.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes} from '../../fetch/verified-bytes.js'
import {quoted} from '../../text.js'
import {asObject, asTexts, type JsonObject} from '../../yaml/json-value.js'

/** An image to build a package on, with the configs of its platforms. */
export interface BaseImage {
  readonly root: Image
  /** Its reference in a registry; absent for a local image, whose name means nothing elsewhere. */
  readonly name?: string
  readonly platforms: readonly {readonly image: Image; readonly config: JsonObject}[]
}

/**
 * Reads all of an image but its layers, which are opened when they are written. Leaves attestations out: they refer by
 * digest to the images listed beside them, whose digests change with another layer. Throws `unsupported` for content
 * without an image that can run, `source-invalid`, `digest-mismatch`, `limit-exceeded`.
 */
export async function readBase(store: ImageStore, name?: string): Promise<BaseImage> {
  const root = await readImage(store, listedImages)
  const platforms = []
  for (const image of platformImages(root)) {
    const holder = image === root ? `the manifest of ${store.name}` : manifestName(store, image.descriptor)
    platforms.push({image, config: await readConfig(image, holder)})
  }
  if (platforms.length === 0)
    throw new CrossplaneError('unsupported', `${store.name} has no image that can be a base`)
  return {root, name, platforms}
}

async function readConfig(image: Image, holder: string): Promise<JsonObject> {
  const {config, layers} = image
  if (config === undefined || mediaKind(config.descriptor.mediaType) !== 'config') {
    throw new CrossplaneError(
      'unsupported',
      `${holder} is not for a runnable image: its config has type ${quoted(config?.descriptor.mediaType ?? '')}`,
    )
  }
  const name = `the config of ${holder}`
  const document = parseJsonObject(await collectBytes(config.open(), SOURCE_LIMITS.manifestBytes, name), name)
  expectLayers(
    document,
    layers.map(({descriptor}) => descriptor.mediaType),
    holder,
  )
  return document
}

function expectLayers(config: JsonObject, types: readonly string[], holder: string): void {
  const diffIds = asTexts(asObject(config.rootfs).diff_ids)
  if (diffIds.length !== types.length)
    throw new CrossplaneError(
      'source-invalid',
      `${holder} has ${types.length} layers, but its config lists ${diffIds.length}`,
    )
  const foreign = types.find(isForeignLayer)
  if (foreign !== undefined) {
    throw new CrossplaneError(
      'unsupported',
      `${holder} has a layer that must not be distributed: ${quoted(foreign)}`,
    )
  }
  if (types.length >= SOURCE_LIMITS.layers)
    throw new CrossplaneError('limit-exceeded', `${holder} has ${types.length} layers, which is the maximum`)
}
