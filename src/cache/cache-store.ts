/**
 * Port: named byte strings that outlive the process and are shared with others. Names are segments of `[a-z0-9.-]`,
 * none beginning with a dot, joined by `/`. A write is seen whole or not at all, whenever the writer dies; what dead
 * writers left is listed below `unfinished/`. All of it throws
 * `cache-failed`.
 */
export interface CacheStore {
  /** How messages name it. */
  readonly name: string
  /** Undefined where there is none; at most `limit` bytes, `limit-exceeded` for more. */
  read(name: string, limit: number): Promise<Uint8Array | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Marks it as used now, as well as that can be done; whether it is there. */
  touch(name: string): Promise<boolean>
  /**
   * Whether it was removed. With `unusedSince` only what was not written or touched after that time, even if that
   * happens at this very moment.
   */
  remove(name: string, unusedSince?: number): Promise<boolean>
  /** What is below a prefix that ends in `/`, or everything for an empty one, in no order. */
  list(prefix: string): AsyncIterable<StoredItem>
}

/** `size` in bytes; `usedAt`, when it was last written or touched, in milliseconds since the epoch. */
export interface StoredItem {
  readonly name: string
  readonly size: number
  readonly usedAt: number
}
