import {CrossplaneError} from '../errors.js'
import {readDescriptors} from './descriptor.js'
import {type Descriptor, type Image, layersOf} from './image.js'
import type {ImageStore} from './image-store.js'
import {parseJsonObject} from './json-document.js'
import {DEFAULT_PLATFORM, choosePlatform, formatPlatform} from './platform.js'
import type {Platform} from './platform.js'
import {listNames} from '../text.js'
import {SOURCE_LIMITS} from './source-limits.js'
import type {SourceLimits} from './source-limits.js'
import {listedImages, readImage} from './read-image.js'
import {collectBytes} from './verified-bytes.js'

/** The platform to select and the limits. */
export interface FetchOptions {
  readonly platform?: Platform
  readonly limits?: SourceLimits
}

/**
 * Reads the image that a store holds for a platform; of an index, that image alone. Layers are opened later. Throws
 * `not-found` when there is none for the platform, and as `readImage` does.
 */
export async function fetchImage(store: ImageStore, options: FetchOptions = {}): Promise<Image> {
  const {platform = DEFAULT_PLATFORM, limits = SOURCE_LIMITS} = options
  const image = await readImage(store, entries => [chooseManifest(entries, platform, store.name)], limits)
  const layers = layersOf(image)
  if (layers.length <= limits.layers) return image
  throw new CrossplaneError(
    'limit-exceeded',
    `${store.name} has ${layers.length} layers; the maximum is ${limits.layers}`,
  )
}

/** Reports whether a store holds an index without an image for a platform. */
export async function lacksPlatform(store: ImageStore, platform: Platform): Promise<boolean> {
  const {bytes} = await store.root()
  const document = parseJsonObject(
    await collectBytes(bytes, SOURCE_LIMITS.manifestBytes, store.name),
    store.name,
  )
  if (!Array.isArray(document.manifests)) return false
  const images = listedImages(readDescriptors(document, 'manifests', store.name))
  const isOnly = images.length === 1 && images[0]?.platform === undefined
  return choosePlatform(images, platform) === undefined && !isOnly
}

/** The entry of an index to continue with: the one for the platform, or the only one if it has no platform. */
function chooseManifest(entries: readonly Descriptor[], platform: Platform, name: string): Descriptor {
  const images = listedImages(entries)
  const fitting = choosePlatform(images, platform)
  if (fitting !== undefined) return fitting
  const [only, ...others] = images
  if (only !== undefined && only.platform === undefined && others.length === 0) return only
  throw notFor(platform, images, name)
}

function notFor(platform: Platform, images: readonly Descriptor[], name: string): CrossplaneError {
  const has = images.map(image =>
    image.platform === undefined ? 'one without a platform' : formatPlatform(image.platform),
  )
  const others = has.length === 0 ? 'it has none at all' : `it has ${listNames(has)}`
  return new CrossplaneError('not-found', `${name} has no image for ${formatPlatform(platform)}: ${others}`, {
    suggestions: ['Select a platform of the image with --platform OS/ARCH.'],
  })
}
