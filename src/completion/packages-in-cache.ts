import {INDEX_DOCUMENTS, TAG_LISTS, TAGS} from '../cache/cache-names.js'
import type {CacheStore, StoredItem} from '../cache/cache-store.js'
import {storedDocument} from '../cache/stored-document.js'
import {readIndexDocumentMemory, readTagListMemory, readTagMemory} from '../cache/tag-document.js'
import {formatRepository, type Repository} from '../reference/repository.js'
import type {JsonObject} from '../yaml/json-value.js'
import {packagesInIndex} from './index-lines.js'
import type {NamedPackage} from './known-packages.js'

/** What is read of each kind of document at most, since completion must not be felt: the most recently used. */
const MAX_DOCUMENTS = 100
const MAX_BYTES = 1024 * 1024

/**
 * Returns the packages that were pulled, listed or found in an index before. Documents are read, not marked as used.
 * Throws `cache-failed`.
 */
export async function packagesInCache(store: CacheStore): Promise<readonly NamedPackage[]> {
  const [tags, lists, documents] = await Promise.all([
    newest(store, TAGS, readTagMemory),
    newest(store, TAG_LISTS, readTagListMemory),
    newest(store, INDEX_DOCUMENTS, readIndexDocumentMemory),
  ])
  const pulled = new Set(tags.map(({repository}) => formatRepository(repository)))
  // Tags are listed of the repositories of indexes, too.
  const listed = lists.filter(({repository}) => pulled.has(formatRepository(repository)))
  return [
    ...tags.map(({repository, tag}) => named(repository, tag)),
    ...listed.flatMap(({repository, tags: all}) => all.map(tag => named(repository, tag))),
    ...packagesInIndex(documents.map(({bytes}) => bytes)),
  ]
}

function named(repository: Repository, tag: string): NamedPackage {
  return {repository: formatRepository(repository), tag}
}

async function newest<T>(
  store: CacheStore,
  prefix: string,
  understand: (body: JsonObject) => T | undefined,
): Promise<readonly T[]> {
  const read = await Promise.all(
    (await newestItems(store, prefix)).map(({name}) => storedDocument(store, name, understand)),
  )
  return read.flatMap(stored => (stored.state === 'intact' ? [stored.value] : []))
}

async function newestItems(store: CacheStore, prefix: string): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = []
  for await (const item of store.list(prefix)) items.push(item)
  let bytes = 0
  return items
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(0, MAX_DOCUMENTS)
    .filter(({size}) => (bytes += size) <= MAX_BYTES)
}
