import {createHash} from 'node:crypto'
import type {Digest} from '../fetch/image.js'
import {formatPlatform, type Platform} from '../fetch/platform.js'
import type {Repository} from '../reference/repository.js'

/**
 * Names of items in a store. Each format version has its own first segment: programs of both can share a folder, and
 * neither removes items that it cannot read. `unfinished/` belongs to the store.
 */
export const ENTRIES = 'v1/entries/'
export const FILES = 'v1/files/'
export const TAGS = 'v1/tags/'
export const TAG_LISTS = 'v1/tag-lists/'
export const INDEX_DOCUMENTS = 'v1/index-documents/'
/** What users depend on of packages, which is read of their files again where it is missing. */
export const SURFACES = 'v1/surfaces/'
/** What builds of catalogs remember of files, which are read again where it is missing. */
export const SITES = 'v1/sites/'
export const UNFINISHED = 'unfinished/'

/** Returns the name of the entry of a reference's digest and a platform. */
export function entryName(digest: Digest, platform: Platform): string {
  return hashed(ENTRIES, [digest, formatPlatform(platform)])
}

/** Returns the name of a file with these bytes, shared by all packages that have it. */
export function fileName(sha256: string): string {
  return `${FILES}${sha256}`
}

/** Returns the name of a tag's document. */
export function tagName({registry, path}: Repository, tag: string): string {
  return hashed(TAGS, [registry, path, tag])
}

/** Returns the name of the list of a repository's tags. */
export function tagListName({registry, path}: Repository): string {
  return hashed(TAG_LISTS, [registry, path])
}

/** Returns the name of the document of a tag of an index. */
export function indexDocumentName({registry, path}: Repository, tag: string): string {
  return hashed(INDEX_DOCUMENTS, [registry, path, tag])
}

/** Hosts, paths and platforms have characters that names of a store do not. */
function hashed(prefix: string, parts: readonly string[]): string {
  return `${prefix}${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}
