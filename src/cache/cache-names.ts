import {createHash} from 'node:crypto'
import type {Digest} from '../fetch/image.js'
import {formatPlatform, type Platform} from '../fetch/platform.js'
import type {Repository} from '../reference/repository.js'

/**
 * Where things are in a store. A format of another version has another first segment: programs of both can share a
 * folder, and none removes what it cannot read. `unfinished/` is the store's own.
 */
export const ENTRIES = 'v1/entries/'
export const FILES = 'v1/files/'
export const TAGS = 'v1/tags/'
export const TAG_LISTS = 'v1/tag-lists/'
export const INDEX_DOCUMENTS = 'v1/index-documents/'
export const UNFINISHED = 'unfinished/'

/** The name of what was pulled for a reference's digest and a platform. */
export function entryName(digest: Digest, platform: Platform): string {
  return hashed(ENTRIES, [digest, formatPlatform(platform)])
}

/** The name of a file with these bytes, whichever packages have it. */
export function fileName(sha256: string): string {
  return `${FILES}${sha256}`
}

/** The name of what a tag led to. */
export function tagName({registry, path}: Repository, tag: string): string {
  return hashed(TAGS, [registry, path, tag])
}

/** The name of what tags a repository had. */
export function tagListName({registry, path}: Repository): string {
  return hashed(TAG_LISTS, [registry, path])
}

/** The name of what a tag of an index leads to. */
export function indexDocumentName({registry, path}: Repository, tag: string): string {
  return hashed(INDEX_DOCUMENTS, [registry, path, tag])
}

/** Hosts, paths and platforms have characters that names of a store do not. */
function hashed(prefix: string, parts: readonly string[]): string {
  return `${prefix}${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}
