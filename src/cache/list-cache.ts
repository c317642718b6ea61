import type {Digest} from '../fetch/image.js'
import {formatPlatform} from '../fetch/platform.js'
import {formatRepository} from '../reference/repository.js'
import {storedEntries, storedTags} from './cache-contents.js'
import type {CacheStore} from './cache-store.js'
import {allFiles, type Entry} from './entry-document.js'
import {compareText} from '../reference/compare-text.js'

/** A package of the cache, as lists show it. */
export interface ListedPackage {
  readonly digest: Digest
  readonly platform: string
  /** The tags that resolved to it, as references; its repository alone if it was pulled by digest. */
  readonly references: readonly string[]
  readonly files: number
  /** The size of its files. */
  readonly bytes: number
  /** In milliseconds since the epoch. */
  readonly usedAt: number
}

/**
 * Lists all packages, the most recently used first. Omits damaged ones and those of another version. Throws
 * `cache-failed`.
 */
export async function listCache(store: CacheStore): Promise<readonly ListedPackage[]> {
  const references = await referencesByDigest(store)
  const listed: ListedPackage[] = []
  for await (const {document, usedAt} of storedEntries(store)) {
    if (document.state === 'intact') listed.push(listedPackage(document.value, usedAt, references))
  }
  return listed.sort(
    (a, b) => b.usedAt - a.usedAt || compareText(a.digest, b.digest) || compareText(a.platform, b.platform),
  )
}

function listedPackage(
  entry: Entry,
  usedAt: number,
  references: ReadonlyMap<Digest, readonly string[]>,
): ListedPackage {
  const {digest, platform, repository} = entry
  const files = allFiles(entry)
  return {
    digest,
    platform: formatPlatform(platform),
    references: references.get(digest) ?? [formatRepository(repository)],
    files: files.length,
    bytes: files.reduce((sum, {size}) => sum + size, 0),
    usedAt,
  }
}

async function referencesByDigest(store: CacheStore): Promise<ReadonlyMap<Digest, readonly string[]>> {
  const references = new Map<Digest, readonly string[]>()
  for await (const {document} of storedTags(store)) {
    if (document.state !== 'intact') continue
    const {digest, repository, tag} = document.value
    references.set(
      digest,
      [...(references.get(digest) ?? []), `${formatRepository(repository)}:${tag}`].sort(),
    )
  }
  return references
}
