import type {Digest} from '../fetch/image.js'
import type {Repository} from '../reference/repository.js'
import {isJsonArray, type JsonObject} from '../yaml/json-value.js'
import {readCount, readDigest, readRepository, readTag} from './document-fields.js'

/** The digest that a tag of a repository had at a time; `at` is in milliseconds since the epoch. */
export interface TagMemory {
  readonly repository: Repository
  readonly tag: string
  readonly digest: Digest
  readonly at: number
}

/** The tags that a repository had at a time. */
export interface TagListMemory {
  readonly repository: Repository
  readonly tags: readonly string[]
  readonly at: number
}

/** The document that a tag of a repository of an index names; it changes only if the index corrects it. */
export interface IndexDocumentMemory {
  readonly repository: Repository
  readonly tag: string
  readonly bytes: Uint8Array
}

/** Undefined for any other document. */
export function readIndexDocumentMemory(body: JsonObject): IndexDocumentMemory | undefined {
  const [repository, tag] = [readRepository(body.repository), readTag(body.tag)]
  if (repository === undefined || tag === undefined || typeof body.base64 !== 'string') return undefined
  return {repository, tag, bytes: Buffer.from(body.base64, 'base64')}
}

/** Undefined for any other document. */
export function readTagMemory(body: JsonObject): TagMemory | undefined {
  const repository = readRepository(body.repository)
  const [tag, digest] = [readTag(body.tag), readDigest(body.digest)]
  const at = readCount(body.at, Number.MAX_SAFE_INTEGER)
  if (repository === undefined || tag === undefined || digest === undefined || at === undefined)
    return undefined
  return {repository, tag, digest, at}
}

/** Undefined for any other document. */
export function readTagListMemory(body: JsonObject): TagListMemory | undefined {
  const repository = readRepository(body.repository)
  const at = readCount(body.at, Number.MAX_SAFE_INTEGER)
  if (repository === undefined || at === undefined || !isJsonArray(body.tags)) return undefined
  const tags = body.tags.map(readTag).filter(tag => tag !== undefined)
  return tags.length === body.tags.length ? {repository, tags, at} : undefined
}
