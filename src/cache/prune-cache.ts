import type {Digest} from '../fetch/image.js'
import {formatPlatform} from '../fetch/platform.js'
import {type StoredDocument, storedEntries} from './cache-contents.js'
import {
  fileName,
  FILES,
  INDEX_DOCUMENTS,
  SITES,
  SURFACES,
  TAG_LISTS,
  TAGS,
  UNFINISHED,
} from './cache-names.js'
import type {CacheStore, StoredItem} from './cache-store.js'
import {allFiles, type Entry} from './entry-document.js'

/** The conditions for removal; times in milliseconds. */
export interface PruneOptions {
  /** Since the epoch. */
  readonly now: number
  /** The time that a package, a tag or an entry of an index may be unused. */
  readonly unusedFor: number
  /** Only report what would be removed. */
  readonly dryRun: boolean
}

/** The number of items that were removed, or would be. */
export interface Pruned {
  readonly packages: readonly {readonly digest: Digest; readonly platform: string}[]
  /** Removed tags, lists of tags and entries of indexes. */
  readonly tags: number
  /** Removed files that belonged to no package, were damaged or were never finished, and unused schemas. */
  readonly files: number
  /** The size of all removed items. */
  readonly bytes: number
}

/**
 * Milliseconds that unreferenced and unfinished files are kept: their package may be about to be written. If a writer
 * takes longer, the package is pulled again later.
 */
const GRACE = 60 * 60 * 1000

/**
 * Removes unused packages and tags, then the files that no remaining package needs. Other processes may read and write
 * at the same time: items that they use or write are kept. Throws `cache-failed`.
 */
export async function pruneCache(store: CacheStore, options: PruneOptions): Promise<Pruned> {
  const unusedSince = options.now - options.unusedFor
  const graceSince = options.now - GRACE
  const prune = <T extends StoredItem>(items: AsyncIterable<T>, since: number) =>
    removeUnused(store, items, since, options.dryRun)

  const old = await prune(intact(storedEntries(store)), unusedSince)
  const damaged = await prune(damagedOnes(storedEntries(store)), graceSince)
  const tags = [
    ...(await prune(store.list(TAGS), unusedSince)),
    ...(await prune(store.list(TAG_LISTS), unusedSince)),
    ...(await prune(store.list(INDEX_DOCUMENTS), unusedSince)),
  ]
  const needed = await neededFiles(store, options.dryRun ? old.map(({name}) => name) : [])
  const files = [
    ...damaged,
    ...(await prune(others(store.list(FILES), needed), graceSince)),
    ...(await prune(store.list(UNFINISHED), graceSince)),
    ...(await prune(store.list(SURFACES), unusedSince)),
    ...(await prune(store.list(SITES), unusedSince)),
  ]
  return {
    packages: old.map(({value}) => ({digest: value.digest, platform: formatPlatform(value.platform)})),
    tags: tags.length,
    files: files.length,
    bytes: [...old, ...tags, ...files].reduce((sum, {size}) => sum + size, 0),
  }
}

async function removeUnused<T extends StoredItem>(
  store: CacheStore,
  items: AsyncIterable<T>,
  since: number,
  dryRun: boolean,
): Promise<T[]> {
  const removed: T[] = []
  for await (const item of items) {
    if (item.usedAt > since) continue
    if (dryRun || (await store.remove(item.name, since))) removed.push(item)
  }
  return removed
}

/**
 * Lists the files of the remaining packages, after old ones are removed: a package used at the last moment still
 * exists, so its files must exist, too. Undefined if a package has another format version, whose files are not known.
 */
async function neededFiles(
  store: CacheStore,
  asIfRemoved: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const needed = new Set<string>()
  for await (const {name, document} of storedEntries(store)) {
    if (document.state === 'foreign') return undefined
    if (document.state !== 'intact' || asIfRemoved.includes(name)) continue
    for (const {sha256} of allFiles(document.value)) needed.add(fileName(sha256))
  }
  return needed
}

async function* intact(
  entries: AsyncIterable<StoredDocument<Entry>>,
): AsyncGenerator<StoredItem & {readonly value: Entry}> {
  for await (const {document, ...item} of entries)
    if (document.state === 'intact') yield {...item, value: document.value}
}

async function* damagedOnes(entries: AsyncIterable<StoredDocument<Entry>>): AsyncGenerator<StoredItem> {
  for await (const {document, ...item} of entries) if (document.state === 'damaged') yield item
}

async function* others(
  items: AsyncIterable<StoredItem>,
  needed: ReadonlySet<string> | undefined,
): AsyncGenerator<StoredItem> {
  for await (const item of items) if (needed !== undefined && !needed.has(item.name)) yield item
}
