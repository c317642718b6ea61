/**
 * Port: named byte strings that outlive the process and are shared with others. Names are segments of `[a-z0-9.-]`,
 * none beginning with a dot, joined by `/`. A write is seen completely or not at all, even if the writer is killed;
 * leftovers of killed writers are listed below `unfinished/`. All methods throw `cache-failed`.
 */
export interface CacheStore {
  /** The name of the store in messages. */
  readonly name: string
  /**
   * Returns undefined if the item does not exist; reads at most `limit` bytes, and throws `limit-exceeded` for more.
   */
  read(name: string, limit: number): Promise<Uint8Array | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Marks an item as used now, if the store can be written; returns whether it exists. */
  touch(name: string): Promise<boolean>
  /**
   * Returns whether an item was removed. With `unusedSince`, only one that was not written or marked after that time,
   * even concurrently.
   */
  remove(name: string, unusedSince?: number): Promise<boolean>
  /** Lists the items below a prefix that ends in `/`, or all for an empty one, in no order. */
  list(prefix: string): AsyncIterable<StoredItem>
}

/** `size` in bytes; `usedAt`, when it was last written or marked, in milliseconds since the epoch. */
export interface StoredItem {
  readonly name: string
  readonly size: number
  readonly usedAt: number
}
