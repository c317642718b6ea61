import {CrossplaneError} from '../errors.js'
import type {Descriptor} from './descriptor.js'
import type {Image, Layer} from './image.js'
import type {ImageStore} from './image-store.js'
import {isModernPackage, modernPackage} from './modern-package.js'
import {DEFAULT_PLATFORM, choosePlatform, formatPlatform} from './platform.js'
import type {Platform} from './platform.js'
import {listNames} from '../text.js'
import {claimsWholeRegistry} from './registry-layer.js'
import {SOURCE_LIMITS} from './source-limits.js'
import type {SourceLimits} from './source-limits.js'
import {listedImages, listedManifest, rootManifest, type StoredManifest} from './stored-manifest.js'
import {digestOf, verifiedBytes} from './verified-bytes.js'

/** How to choose and how much to read. */
export interface FetchOptions {
  readonly platform?: Platform
  readonly limits?: SourceLimits
}

/**
 * Finds the image that a store holds for a platform: reads the root document, follows indexes, and checks the size and
 * digest of everything on the way. Layers are opened later. Throws `not-found` when there is none for the platform,
 * `unsupported` for an xpkg package, `digest-mismatch`, `limit-exceeded`, and what `parseManifest` throws.
 */
export async function fetchImage(store: ImageStore, options: FetchOptions = {}): Promise<Image> {
  const {platform = DEFAULT_PLATFORM, limits = SOURCE_LIMITS} = options
  const found = await rootManifest(store, limits)
  const layers = await imageLayers(store, found, platform, limits)
  const {tag} = found.root
  return {
    digest: digestOf(found.bytes),
    ...(tag !== undefined && {tag}),
    layers: boundedLayers(layers, store.name, limits).map(layer => storedLayer(store, layer)),
  }
}

async function imageLayers(
  store: ImageStore,
  document: StoredManifest,
  platform: Platform,
  limits: SourceLimits,
): Promise<readonly Descriptor[]> {
  const {manifest} = document
  if (manifest.kind === 'index') {
    const selected = chooseManifest(manifest.manifests, platform, store.name)
    const listed = await listedManifest(store, selected, document, limits)
    return await imageLayers(store, listed, platform, limits)
  }
  if (isModernPackage(manifest.layers)) throw modernPackage(store.name)
  return manifest.layers
}

/** The entry of an index to go on with: the one for the platform, or the only one if it names none. */
function chooseManifest(entries: readonly Descriptor[], platform: Platform, name: string): Descriptor {
  const images = listedImages(entries)
  const fitting = choosePlatform(images, platform)
  if (fitting !== undefined) return fitting
  const [only, ...others] = images
  if (only !== undefined && only.platform === undefined && others.length === 0) return only
  throw notFor(platform, images, name)
}

function boundedLayers(
  layers: readonly Descriptor[],
  name: string,
  limits: SourceLimits,
): readonly Descriptor[] {
  if (layers.length <= limits.layers) return layers
  throw new CrossplaneError(
    'limit-exceeded',
    `${name} has ${layers.length} layers; the maximum is ${limits.layers}`,
  )
}

function storedLayer(store: ImageStore, descriptor: Descriptor): Layer {
  const {mediaType, size, digest} = descriptor
  const holder = `the layer ${digest} of ${store.name}`
  return {
    mediaType,
    size,
    digest,
    ...(claimsWholeRegistry(descriptor) && {claimsWholeRegistry: true}),
    open: () => verifiedBytes(store.blob(descriptor), descriptor, holder),
  }
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
