import {UNFINISHED} from './cache-names.js'
import type {CacheStore} from './cache-store.js'

/** The number of removed items, of any kind, and their size in bytes. */
export interface Cleared {
  readonly items: number
  readonly bytes: number
}

/** A cache of any version. */
const VERSIONED = /^v\d+\//

/** Removes the contents of caches of any version from a store, and nothing else. Throws `cache-failed`. */
export async function clearCache(store: CacheStore): Promise<Cleared> {
  let [items, bytes] = [0, 0]
  for await (const {name, size} of store.list('')) {
    if (!VERSIONED.test(name) && !name.startsWith(UNFINISHED)) continue
    if (!(await store.remove(name))) continue
    items += 1
    bytes += size
  }
  return {items, bytes}
}
