import {API_VERSION} from '../api-version.js'
import {CrossplaneError} from '../errors.js'
import type {Digest} from '../fetch/image.js'
import {parseJsonObject} from '../fetch/json-document.js'
import {isManifestType} from '../fetch/media-types.js'
import {parsePlatform} from '../fetch/platform.js'
import {isDigest, parseImageName} from '../reference/image-name.js'
import {asObjects, asText, asTexts, isJsonArray, type JsonObject} from '../yaml/json-value.js'
import {BUNDLE_LIMITS} from './limits.js'

/** What an image is in a bundle for. */
const BUNDLE_ROLES = ['package', 'image', 'signature'] as const

/** An image of a bundle. */
export interface BundledImage {
  /** `HOST/PATH:TAG`, or `HOST/PATH@DIGEST` for an image without a tag; the host is always written. */
  readonly reference: string
  readonly digest: Digest
  readonly mediaType: string
  readonly size: number
  readonly role: (typeof BUNDLE_ROLES)[number]
  /** Whether it is a package for a current Crossplane. */
  readonly isXpkg: boolean
  /** The packages that run it, by reference; empty for one that was requested by its name. */
  readonly usedBy: readonly string[]
  /** The image that a signature is about. */
  readonly subject?: Digest
}

/** The description of a bundle. */
export interface BundleDocument {
  /** As `OS/ARCH`; empty for all. */
  readonly platforms: readonly string[]
  /** Sorted by reference. */
  readonly images: readonly BundledImage[]
  /** The digest of the description of the bundle that this one adds to; absent for a whole bundle. */
  readonly base?: Digest
}

const KIND = 'PackageBundle'

/** The newest format that can be read, and the one that is written. */
const FORMAT = 1

/** Writes a description: the same content gives the same bytes. */
export function writeBundleDocument({platforms, images, base}: BundleDocument): Uint8Array {
  const document = {
    apiVersion: API_VERSION,
    kind: KIND,
    formatVersion: FORMAT,
    ...(base === undefined ? {} : {base}),
    ...(platforms.length === 0 ? {} : {platforms}),
    images: images.map(({isXpkg, usedBy, ...image}) => ({
      ...image,
      ...(isXpkg ? {isXpkg} : {}),
      ...(usedBy.length === 0 ? {} : {usedBy}),
    })),
  }
  return Buffer.from(JSON.stringify(document))
}

/** Reads a description. Throws `source-invalid`, `limit-exceeded`, and `unsupported` for a newer format. */
export function readBundleDocument(bytes: Uint8Array, holder: string): BundleDocument {
  const document = parseJsonObject(bytes, holder)
  if (document['kind'] !== KIND || document['apiVersion'] !== API_VERSION)
    throw invalid(holder, `is not a ${KIND}`)
  const {formatVersion, base} = document
  if (typeof formatVersion !== 'number' || formatVersion < 1) throw invalid(holder, 'has no formatVersion')
  if (formatVersion > FORMAT)
    throw new CrossplaneError(
      'unsupported',
      `${holder} has the format ${formatVersion}; only ${FORMAT} is supported`,
      {
        suggestions: ['Use a newer version of kubectl-crossplane.'],
      },
    )
  if (base !== undefined && (typeof base !== 'string' || !isDigest(base)))
    throw invalid(holder, 'has an invalid base')
  return {
    platforms: platformsIn(document, holder),
    images: imagesIn(document, holder),
    ...(base === undefined ? {} : {base}),
  }
}

function platformsIn(document: JsonObject, holder: string): readonly string[] {
  const platforms = asTexts(document['platforms'])
  try {
    platforms.forEach(parsePlatform)
  } catch {
    throw invalid(holder, 'names an invalid platform')
  }
  return platforms
}

function imagesIn(document: JsonObject, holder: string): readonly BundledImage[] {
  if (!isJsonArray(document['images'])) throw invalid(holder, 'lists no images')
  if (document['images'].length > BUNDLE_LIMITS.references)
    throw new CrossplaneError(
      'limit-exceeded',
      `${holder} lists more than ${BUNDLE_LIMITS.references} images`,
    )
  const entries = asObjects(document['images'])
  if (entries.length !== document['images'].length) throw invalid(holder, 'lists an invalid image')
  const images = entries.map((entry, index) => imageIn(entry, `images[${index}]`, holder))
  const names = new Set(images.map(({reference}) => reference))
  if (names.size < images.length) throw invalid(holder, 'lists a reference twice')
  return images
}

function imageIn(entry: JsonObject, field: string, holder: string): BundledImage {
  const reference = asText(entry['reference'])
  const role = BUNDLE_ROLES.find(text => text === entry['role'])
  if (!isFullReference(reference)) throw invalid(holder, `has no full reference in ${field}`)
  if (role === undefined) throw invalid(holder, `has no role in ${field}`)
  return {
    reference,
    ...storedIn(entry, field, holder),
    role,
    isXpkg: entry['isXpkg'] === true,
    usedBy: asTexts(entry['usedBy']),
    ...subjectIn(entry, field, holder),
  }
}

function subjectIn({subject}: JsonObject, field: string, holder: string): Pick<BundledImage, 'subject'> {
  if (subject === undefined) return {}
  if (typeof subject !== 'string' || !isDigest(subject))
    throw invalid(holder, `has an invalid subject in ${field}`)
  return {subject}
}

function storedIn(
  entry: JsonObject,
  field: string,
  holder: string,
): Pick<BundledImage, 'digest' | 'mediaType' | 'size'> {
  const [digest, mediaType, size] = [
    asText(entry['digest']),
    asText(entry['mediaType']),
    Number(entry['size']),
  ]
  if (!isDigest(digest)) throw invalid(holder, `has no digest in ${field}`)
  if (!isManifestType(mediaType)) throw invalid(holder, `has no media type of an image in ${field}`)
  if (!Number.isSafeInteger(size) || size < 0) throw invalid(holder, `has no size in ${field}`)
  return {digest, mediaType, size}
}

/** References are full, so that no default decides where an image is from. */
function isFullReference(text: string): boolean {
  const name = parseImageName(text)
  return name?.registry !== undefined && (name.tag === undefined) !== (name.digest === undefined)
}

function invalid(holder: string, problem: string): CrossplaneError {
  return new CrossplaneError('source-invalid', `${holder} ${problem}`, {
    suggestions: ['Create the bundle again: kubectl crossplane bundle create --help'],
  })
}
