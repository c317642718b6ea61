import {CrossplaneError} from '../errors.js'
import type {Descriptor} from './descriptor.js'
import type {Image, Layer} from './image.js'
import type {ImageStore} from './image-store.js'
import {parseManifest} from './manifest.js'
import type {Manifest} from './manifest.js'
import {mediaKind} from './media-types.js'
import {isModernPackage, modernPackage} from './modern-package.js'
import {DEFAULT_PLATFORM, choosePlatform, formatPlatform} from './platform.js'
import type {Platform} from './platform.js'
import {listNames} from '../text.js'
import {claimsWholeRegistry} from './registry-layer.js'
import {SOURCE_LIMITS} from './source-limits.js'
import type {SourceLimits} from './source-limits.js'
import {collectBytes, digestOf, verifiedBytes} from './verified-bytes.js'

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
  const root = await store.root()
  const name = `the manifest of ${store.name}`
  const bytes = await collectBytes(verifiedBytes(root.bytes, root, name), limits.manifestBytes, name)
  const layers = await imageLayers(store, parseManifest(bytes, root.mediaType, name), platform, limits)
  return {
    digest: digestOf(bytes),
    ...(root.tag !== undefined && {tag: root.tag}),
    layers: boundedLayers(layers, store.name, limits).map(layer => storedLayer(store, layer)),
  }
}

async function imageLayers(
  store: ImageStore,
  root: Manifest,
  platform: Platform,
  limits: SourceLimits,
): Promise<readonly Descriptor[]> {
  let manifest = root
  for (let depth = 0; manifest.kind === 'index'; depth++) {
    if (depth === limits.indexDepth) throw tooDeep(store.name, limits)
    const selected = chooseManifest(manifest.manifests, platform, store.name)
    manifest = await listedManifest(store, selected, limits)
  }
  if (isModernPackage(manifest.layers)) throw modernPackage(store.name)
  return manifest.layers
}

async function listedManifest(
  store: ImageStore,
  descriptor: Descriptor,
  limits: SourceLimits,
): Promise<Manifest> {
  const holder = `the manifest ${descriptor.digest} of ${store.name}`
  if (descriptor.size > limits.manifestBytes) throw tooLarge(holder, limits)
  const chunks = verifiedBytes(store.manifest(descriptor), descriptor, holder)
  return parseManifest(await collectBytes(chunks, limits.manifestBytes, holder), descriptor.mediaType, holder)
}

/** The entry of an index to go on with: the one for the platform, or the only one if it names none. */
function chooseManifest(entries: readonly Descriptor[], platform: Platform, name: string): Descriptor {
  const images = entries.filter(entry => isImage(entry) && !isAttestation(entry))
  const fitting = choosePlatform(images, platform)
  if (fitting !== undefined) return fitting
  const [only, ...others] = images
  if (only !== undefined && only.platform === undefined && others.length === 0) return only
  throw notFor(platform, images, name)
}

function isImage({mediaType}: Descriptor): boolean {
  const kind = mediaKind(mediaType)
  return kind === 'index' || kind === 'manifest'
}

/** BuildKit lists provenance beside the images: https://docs.docker.com/build/metadata/attestations/attestation-storage */
function isAttestation({annotations, platform}: Descriptor): boolean {
  return annotations['vnd.docker.reference.type'] !== undefined || platform?.os === 'unknown'
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

function tooDeep(name: string, limits: SourceLimits): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `${name} nests indexes more than ${limits.indexDepth} deep`)
}

function tooLarge(holder: string, limits: SourceLimits): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `${holder} is larger than ${limits.manifestBytes} bytes`)
}
