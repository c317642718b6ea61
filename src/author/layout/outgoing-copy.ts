import {CrossplaneError} from '../../errors.js'
import {type Descriptor, readDescriptors} from '../../fetch/descriptor.js'
import type {ImageStore} from '../../fetch/image-store.js'
import {parseJsonObject} from '../../fetch/json-document.js'
import {parseManifest} from '../../fetch/manifest.js'
import {mediaKind} from '../../fetch/media-types.js'
import {choosePlatform, DEFAULT_PLATFORM, type Platform} from '../../fetch/platform.js'
import {SOURCE_LIMITS} from '../../fetch/source-limits.js'
import {collectBytes, digestOf, verifiedBytes} from '../../fetch/verified-bytes.js'
import type {OutgoingBlob, OutgoingImage, OutgoingManifest} from '../../registry/outgoing-image.js'

/**
 * An image to copy unchanged: every manifest keeps its bytes, and so the image its digest. Throws as reading an image
 * does, and `unsupported` for an index that lists anything but images.
 */
export async function outgoingCopy(store: ImageStore): Promise<OutgoingImage> {
  const root = await store.root()
  const holder = `the manifest of ${store.name}`
  const bytes = await collectBytes(
    verifiedBytes(root.bytes, root, holder),
    SOURCE_LIMITS.manifestBytes,
    holder,
  )
  const parts = await partsOf(store, {bytes, mediaType: root.mediaType, holder}, 0)
  const last = parts.manifests.at(-1)
  if (last === undefined)
    throw new CrossplaneError('source-invalid', `cannot read ${holder}: it has no manifest`)
  return {blobs: unique(parts.blobs), manifests: unique(parts.manifests), root: last.descriptor}
}

/** A platform of the image: the default one, else the first that it lists. */
export function platformOf({manifests}: OutgoingImage): Platform {
  const listed = manifests.flatMap(({bytes, descriptor: {mediaType, digest}}) => {
    const manifest = parseManifest(bytes, mediaType, `the manifest ${digest}`)
    return manifest.kind === 'index' ? manifest.manifests : []
  })
  const selected = choosePlatform(listed, DEFAULT_PLATFORM) ?? listed.find(isForSome)
  return selected?.platform ?? DEFAULT_PLATFORM
}

/** Attestations and other artifacts in an index have no platform. */
function isForSome({platform}: Descriptor): boolean {
  return platform !== undefined && platform.os !== 'unknown'
}

/** Images of an index share layers, and an index may list one image twice. */
function unique<P extends {readonly descriptor: Descriptor}>(parts: readonly P[]): P[] {
  return [...new Map(parts.map(part => [part.descriptor.digest, part])).values()]
}

interface Document {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly holder: string
}

type Parts = Pick<OutgoingImage, 'blobs' | 'manifests'>

/** The parts that a manifest names come before it. */
async function partsOf(store: ImageStore, document: Document, depth: number): Promise<Parts> {
  const {bytes, mediaType, holder} = document
  const manifest = parseManifest(bytes, mediaType, holder)
  const own: OutgoingManifest = {
    bytes,
    descriptor: {mediaType: ownType(document), digest: digestOf(bytes), size: bytes.length, annotations: {}},
  }
  const below =
    manifest.kind === 'manifest'
      ? {blobs: imageBlobs(store, bytes, manifest.layers, holder), manifests: []}
      : await listedParts(store, manifest.manifests, holder, depth)
  return {blobs: below.blobs, manifests: [...below.manifests, own]}
}

function ownType({bytes, mediaType, holder}: Document): string {
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
  holder: string,
  depth: number,
): Promise<Parts> {
  if (depth === SOURCE_LIMITS.indexDepth) {
    throw new CrossplaneError(
      'limit-exceeded',
      `cannot read ${holder}: it is in an index with more than ${depth} levels`,
    )
  }
  const all: Parts[] = []
  for (const entry of entries) {
    expectManifest(entry, holder)
    const name = `the manifest ${entry.digest} of ${store.name}`
    const chunks = verifiedBytes(store.manifest(entry), entry, name)
    const bytes = await collectBytes(chunks, SOURCE_LIMITS.manifestBytes, name)
    all.push(await partsOf(store, {bytes, mediaType: entry.mediaType, holder: name}, depth + 1))
  }
  return {blobs: all.flatMap(({blobs}) => blobs), manifests: all.flatMap(({manifests}) => manifests)}
}

function expectManifest({mediaType}: Descriptor, holder: string): void {
  const kind = mediaKind(mediaType)
  if (kind === 'index' || kind === 'manifest') return
  throw new CrossplaneError(
    'unsupported',
    `cannot copy ${holder}: it lists ${mediaType}, which is not an image`,
  )
}
