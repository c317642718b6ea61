import {CrossplaneError} from '../../errors.js'
import {type Descriptor, readDescriptors} from '../../fetch/descriptor.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {parseManifest} from '../../fetch/manifest.js'
import {isManifestType} from '../../fetch/media-types.js'
import {choosePlatform, DEFAULT_PLATFORM, type Platform} from '../../fetch/platform.js'
import {
  isAttestation,
  listedManifest,
  rootManifest,
  type StoredManifest,
} from '../../fetch/stored-manifest.js'
import {digestOf} from '../../fetch/verified-bytes.js'
import type {OutgoingBlob, OutgoingImage, OutgoingManifest} from '../../registry/outgoing-image.js'

/**
 * An image to copy unchanged: every manifest keeps its bytes, and so the image its digest. Throws as reading an image
 * does, and `unsupported` for an index that lists anything but images.
 */
export async function outgoingCopy(store: ImageStore): Promise<OutgoingImage> {
  const {blobs, manifests, root} = await partsOf(store, await rootManifest(store))
  return {blobs: unique(blobs), manifests: unique(manifests), root}
}

/** A platform of the image: the default one, else the first that it lists. */
export function platformOf({manifests}: OutgoingImage): Platform {
  const listed = manifests.flatMap(({bytes, descriptor: {mediaType, digest}}) => {
    const manifest = parseManifest(bytes, mediaType, `the manifest ${digest}`)
    return manifest.kind === 'index' ? manifest.manifests : []
  })
  const selected =
    choosePlatform(listed, DEFAULT_PLATFORM) ??
    listed.find(entry => entry.platform !== undefined && !isAttestation(entry))
  return selected?.platform ?? DEFAULT_PLATFORM
}

/** Images of an index share layers, and an index may list one image twice. */
function unique<P extends {readonly descriptor: Descriptor}>(parts: readonly P[]): P[] {
  return [...new Map(parts.map(part => [part.descriptor.digest, part])).values()]
}

/** The parts that a manifest names come before it. */
async function partsOf(store: ImageStore, document: StoredManifest): Promise<OutgoingImage> {
  const {bytes, holder, manifest} = document
  const own: OutgoingManifest = {
    bytes,
    descriptor: {mediaType: ownType(document), digest: digestOf(bytes), size: bytes.length, annotations: {}},
  }
  const below =
    manifest.kind === 'manifest'
      ? {blobs: imageBlobs(store, bytes, manifest.layers, holder), manifests: []}
      : await listedParts(store, manifest.manifests, document)
  return {blobs: below.blobs, manifests: [...below.manifests, own], root: own.descriptor}
}

function ownType({bytes, mediaType, holder}: StoredManifest): string {
  const {mediaType: own} = parseJsonObject(bytes, holder)
  return typeof own === 'string' && own !== '' ? own : mediaType
}

function imageBlobs(
  store: ImageStore,
  bytes: Uint8Array,
  layers: readonly Descriptor[],
  holder: string,
): OutgoingBlob[] {
  const config = readDescriptors({config: [parseJsonObject(bytes, holder).config ?? null]}, 'config', holder)
  return [...layers, ...config].map(descriptor => ({descriptor, open: () => store.blob(descriptor)}))
}

async function listedParts(
  store: ImageStore,
  entries: readonly Descriptor[],
  index: StoredManifest,
): Promise<Pick<OutgoingImage, 'blobs' | 'manifests'>> {
  const all: OutgoingImage[] = []
  for (const entry of entries) {
    expectManifest(entry, index.holder)
    all.push(await partsOf(store, await listedManifest(store, entry, index)))
  }
  return {blobs: all.flatMap(({blobs}) => blobs), manifests: all.flatMap(({manifests}) => manifests)}
}

function expectManifest({mediaType}: Descriptor, holder: string): void {
  if (isManifestType(mediaType)) return
  throw new CrossplaneError(
    'unsupported',
    `cannot copy ${holder}: it lists ${mediaType}, which is not an image`,
  )
}
