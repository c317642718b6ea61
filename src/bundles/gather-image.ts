import {CrossplaneError} from '../errors.js'
import type {Allowance} from '../fetch/allowance.js'
import type {Descriptor} from '../fetch/image.js'
import type {ImageStore} from '../fetch/image-store.js'
import {formatPlatform, type Platform} from '../fetch/platform.js'
import {type Document, listedDocument, listedImages, rootDocument} from '../fetch/read-image.js'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {listNames} from '../text.js'
import {type DocumentLinks, documentLinks} from './document-links.js'
import {BUNDLE_LIMITS} from './limits.js'
import {selectPlatforms} from './select-platforms.js'

/** A manifest or an index, with its bytes. */
export interface GatheredDocument {
  readonly descriptor: Descriptor
  readonly bytes: Uint8Array
}

/** All that an image consists of. Its last document is its own. */
export interface GatheredImage {
  readonly root: Descriptor
  readonly documents: readonly GatheredDocument[]
  readonly blobs: readonly Descriptor[]
}

/** What limits the documents of all images together. */
interface DocumentAllowances {
  readonly documents: Allowance
  readonly bytes: Allowance
}

/** How an image is read: of an index only some platforms, if any are named. */
export interface GatherOptions {
  readonly platforms: readonly Platform[]
  readonly allowances: DocumentAllowances
}

/**
 * Reads all documents of an image, verified, and lists its blobs. Throws `digest-mismatch`, `source-invalid`,
 * `limit-exceeded`, and `not-found` for an index without any of the platforms.
 */
export async function gatherImage(store: ImageStore, options: GatherOptions): Promise<GatheredImage> {
  const {descriptor, ...document} = await rootDocument(store, LIMITS)
  const root = {...descriptor, mediaType: ownType(document.bytes, descriptor.mediaType)}
  const parts = new Gathered()
  await visit({store, options, parts}, {...document, descriptor: root})
  return {root, documents: [...parts.documents.values()], blobs: [...parts.blobs.values()]}
}

/** Registries can serve a document with a generic type. */
function ownType(bytes: Uint8Array, mediaType: string): string {
  const text = /"mediaType"\s*:\s*"(application\/vnd\.[\w.+-]+)"/.exec(
    Buffer.from(bytes.subarray(0, 512)).toString('latin1'),
  )
  return /^application\/vnd\./.test(mediaType) ? mediaType : (text?.[1] ?? mediaType)
}

class Gathered {
  readonly documents = new Map<string, GatheredDocument>()
  readonly blobs = new Map<string, Descriptor>()
}

interface Visit {
  readonly store: ImageStore
  readonly options: GatherOptions
  readonly parts: Gathered
}

const LIMITS = {indexDepth: BUNDLE_LIMITS.indexDepth, manifestBytes: SOURCE_LIMITS.manifestBytes}

async function visit({store, options, parts}: Visit, document: Document): Promise<void> {
  const {descriptor, bytes, holder, depth} = document
  options.allowances.documents.spend(1, holder)
  options.allowances.bytes.spend(bytes.length, holder)
  const links = documentLinks(bytes, descriptor.mediaType, holder)
  for (const entry of selected(links, options.platforms, store.name)) {
    if (parts.documents.has(entry.digest)) continue
    await visit({store, options, parts}, await listedDocument({store, limits: LIMITS}, entry, depth))
  }
  const own = links.config === undefined ? links.layers : [links.config, ...links.layers]
  for (const blob of own) parts.blobs.set(blob.digest, blob)
  parts.documents.set(descriptor.digest, {descriptor, bytes})
}

function selected(
  {isIndex, manifests}: DocumentLinks,
  platforms: readonly Platform[],
  name: string,
): readonly Descriptor[] {
  if (!isIndex || platforms.length === 0) return manifests
  const entries = selectPlatforms(manifests, platforms)
  if (entries.length > 0 || manifests.length === 0) return entries
  const has = listedImages(manifests).flatMap(({platform}) =>
    platform === undefined ? [] : [formatPlatform(platform)],
  )
  throw new CrossplaneError(
    'not-found',
    `${name} has no image for ${listNames(platforms.map(formatPlatform))}: it has ${listNames(has)}`,
    {
      suggestions: [
        'Select a platform of the image with --platform OS/ARCH, or leave it out for all of them.',
      ],
    },
  )
}
