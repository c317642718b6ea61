import type {CacheStore} from '../cache/cache-store.js'
import {type Cleared, clearCache} from '../cache/clear-cache.js'
import {listCache, type ListedPackage} from '../cache/list-cache.js'
import {pruneCache, type Pruned, type PruneOptions} from '../cache/prune-cache.js'

/** Maintains a cache as a whole. Every operation throws `cache-failed`. */
export async function listPackages(store: CacheStore): Promise<readonly ListedPackage[]> {
  return await listCache(store)
}

export async function prunePackages(store: CacheStore, options: PruneOptions): Promise<Pruned> {
  return await pruneCache(store, options)
}

export async function clearPackages(store: CacheStore): Promise<Cleared> {
  return await clearCache(store)
}
