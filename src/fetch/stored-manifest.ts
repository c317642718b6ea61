import {CrossplaneError} from '../errors.js'
import type {Descriptor} from './descriptor.js'
import type {ImageStore, RootDocument} from './image-store.js'
import {type Manifest, parseManifest} from './manifest.js'
import {isManifestType} from './media-types.js'
import {SOURCE_LIMITS, type SourceLimits} from './source-limits.js'
import {collectBytes, verifiedBytes} from './verified-bytes.js'

/** A manifest or index of a store, with its size and digest verified. `holder` is its name in messages. */
export interface StoredManifest {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly holder: string
  readonly manifest: Manifest
  /** How many indexes it is in. */
  readonly depth: number
}

/** Reads the document that a reference leads to. Throws `digest-mismatch`, `limit-exceeded`, and as `parseManifest`. */
export async function rootManifest(
  store: ImageStore,
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<StoredManifest & {readonly root: Omit<RootDocument, 'bytes'>}> {
  const {bytes: chunks, ...root} = await store.root()
  const holder = `the manifest of ${store.name}`
  const bytes = await collectBytes(verifiedBytes(chunks, root, holder), limits.manifestBytes, holder)
  const {mediaType} = root
  return {bytes, mediaType, holder, manifest: parseManifest(bytes, mediaType, holder), depth: 0, root}
}

/** Reads a document that an index lists. Throws as `rootManifest` does. */
export async function listedManifest(
  store: ImageStore,
  descriptor: Descriptor,
  {depth}: StoredManifest,
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<StoredManifest> {
  if (depth === limits.indexDepth) {
    throw new CrossplaneError('limit-exceeded', `${store.name} nests indexes more than ${depth} deep`)
  }
  const holder = `the manifest ${descriptor.digest} of ${store.name}`
  if (descriptor.size > limits.manifestBytes) {
    throw new CrossplaneError('limit-exceeded', `${holder} is larger than ${limits.manifestBytes} bytes`)
  }
  const chunks = verifiedBytes(store.manifest(descriptor), descriptor, holder)
  const bytes = await collectBytes(chunks, limits.manifestBytes, holder)
  const {mediaType} = descriptor
  return {bytes, mediaType, holder, manifest: parseManifest(bytes, mediaType, holder), depth: depth + 1}
}

/** Returns the images and indexes of an index without the attestations. */
export function listedImages(entries: readonly Descriptor[]): readonly Descriptor[] {
  return entries.filter(entry => isManifestType(entry.mediaType) && !isAttestation(entry))
}

/** BuildKit lists attestations beside the images: https://docs.docker.com/build/metadata/attestations/attestation-storage */
export function isAttestation({annotations, platform}: Descriptor): boolean {
  return annotations['vnd.docker.reference.type'] !== undefined || platform?.os === 'unknown'
}
