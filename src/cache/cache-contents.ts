import type {JsonObject} from '../yaml/json-value.js'
import {ENTRIES, entryName, TAGS, tagName} from './cache-names.js'
import type {CacheStore, StoredItem} from './cache-store.js'
import {type Entry, readEntry} from './entry-document.js'
import {type Stored, storedDocument} from './stored-document.js'
import {readTagMemory, type TagMemory} from './tag-document.js'

/** An item of a store, with its document. */
export interface StoredDocument<T> extends StoredItem {
  readonly document: Stored<T>
}

/** Returns all entries; their files are not read. Throws `cache-failed`. */
export function storedEntries(store: CacheStore): AsyncIterable<StoredDocument<Entry>> {
  return documentsBelow(store, ENTRIES, readEntry, entry => entryName(entry.digest, entry.platform))
}

/** Returns the documents of tags. Throws `cache-failed`. */
export function storedTags(store: CacheStore): AsyncIterable<StoredDocument<TagMemory>> {
  return documentsBelow(store, TAGS, readTagMemory, ({repository, tag}) => tagName(repository, tag))
}

/** Lists documents; one whose name differs from the name that its content must have is damaged. */
async function* documentsBelow<T>(
  store: CacheStore,
  prefix: string,
  understand: (body: JsonObject) => T | undefined,
  nameOf: (value: T) => string,
): AsyncGenerator<StoredDocument<T>> {
  for await (const item of store.list(prefix)) {
    const document = await storedDocument(store, item.name, body => {
      const value = understand(body)
      return value !== undefined && nameOf(value) === item.name ? value : undefined
    })
    if (document.state !== 'absent') yield {...item, document}
  }
}
