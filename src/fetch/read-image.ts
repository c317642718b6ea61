import {CrossplaneError} from '../errors.js'
import type {Blob, Descriptor, Image} from './image.js'
import type {ImageStore} from './image-store.js'
import {parseManifest} from './manifest.js'
import {isManifestType} from './media-types.js'
import {SOURCE_LIMITS, type SourceLimits} from './source-limits.js'
import {collectBytes, digestOf, verifiedBytes} from './verified-bytes.js'

/** Selects the entries of an index to read; it can throw. `holder` is the index's name in messages. */
type SelectEntries = (entries: readonly Descriptor[], holder: string) => readonly Descriptor[]

/**
 * Reads the documents of an image, and of an index those images that `select` returns; verifies size and digest of
 * each. Blobs are opened later. Throws `digest-mismatch`, `limit-exceeded`, and the errors of `parseManifest` and
 * `select`.
 */
export async function readImage(
  store: ImageStore,
  select: SelectEntries,
  limits: SourceLimits = SOURCE_LIMITS,
): Promise<Image> {
  const {tag, ...root} = await rootDocument(store, limits)
  return {...(await viewOf({store, select, limits}, root)), tag}
}

/** Reads the document of an image that its name leads to, verified. Throws `digest-mismatch`, `limit-exceeded`. */
export async function rootDocument(
  store: ImageStore,
  {manifestBytes}: Pick<SourceLimits, 'manifestBytes'>,
): Promise<Document & Pick<Image, 'tag'>> {
  const {bytes: chunks, tag, ...stated} = await store.root()
  const holder = `the manifest of ${store.name}`
  const bytes = await collectBytes(verifiedBytes(chunks, stated, holder), manifestBytes, holder)
  const descriptor = {
    mediaType: stated.mediaType,
    digest: digestOf(bytes),
    size: bytes.length,
    annotations: {},
  }
  return {descriptor, bytes, holder, depth: 0, tag}
}

type DocumentLimits = Pick<SourceLimits, 'indexDepth' | 'manifestBytes'>

interface Reading {
  readonly store: ImageStore
  readonly select: SelectEntries
  readonly limits: SourceLimits
}

/** A document, and the number of indexes that it is in. */
export interface Document extends Pick<Image, 'descriptor' | 'bytes'> {
  readonly holder: string
  readonly depth: number
}

async function viewOf(reading: Reading, document: Document): Promise<Image> {
  const {bytes, holder} = document
  const manifest = parseManifest(bytes, document.descriptor.mediaType, holder)
  const descriptor = {...document.descriptor, mediaType: manifest.mediaType}
  if (manifest.kind === 'manifest') {
    const {config, layers} = manifest
    return {
      descriptor,
      bytes,
      config: config && storedBlob(reading.store, config, 'config'),
      layers: layers.map(layer => storedBlob(reading.store, layer, 'layer')),
    }
  }
  const images: Image[] = []
  for (const entry of reading.select(manifest.manifests, holder))
    images.push(await viewOf(reading, await listedDocument(reading, entry, document.depth)))
  return {descriptor, bytes, images, layers: []}
}

/** Reads a document that an index lists, verified. Throws `digest-mismatch`, `limit-exceeded`. */
export async function listedDocument(
  {store, limits}: Pick<Reading, 'store'> & {readonly limits: DocumentLimits},
  descriptor: Descriptor,
  depth: number,
): Promise<Document> {
  if (depth === limits.indexDepth) {
    throw new CrossplaneError('limit-exceeded', `${store.name} nests indexes more than ${depth} deep`)
  }
  const holder = manifestName(store, descriptor)
  if (descriptor.size > limits.manifestBytes) {
    throw new CrossplaneError('limit-exceeded', `${holder} is larger than ${limits.manifestBytes} bytes`)
  }
  const chunks = verifiedBytes(store.manifest(descriptor), descriptor, holder)
  return {
    descriptor,
    bytes: await collectBytes(chunks, limits.manifestBytes, holder),
    holder,
    depth: depth + 1,
  }
}

function storedBlob(store: ImageStore, descriptor: Descriptor, kind: string): Blob {
  const holder = `the ${kind} ${descriptor.digest} of ${store.name}`
  return {descriptor, open: () => verifiedBytes(store.blob(descriptor), descriptor, holder)}
}

/** The name in messages of a manifest of a store. */
export function manifestName({name}: ImageStore, {digest}: Descriptor): string {
  return `the manifest ${digest} of ${name}`
}

/** Returns the images and indexes of an index without the attestations. */
export function listedImages(entries: readonly Descriptor[]): readonly Descriptor[] {
  return entries.filter(entry => isManifestType(entry.mediaType) && !isAttestation(entry))
}

/** BuildKit lists attestations beside the images: https://docs.docker.com/build/metadata/attestations/attestation-storage */
export function isAttestation({annotations, platform}: Descriptor): boolean {
  return annotations['vnd.docker.reference.type'] !== undefined || platform?.os === 'unknown'
}
