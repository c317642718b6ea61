/**
 * Port: named byte strings that outlive the process and are shared with others. Names are segments of `[a-z0-9.-]`
 * joined by `/`. A write is seen whole or not at all, whenever the writer dies. Throws `cache-failed`.
 */
export interface CacheStore {
  /** How messages name it. */
  readonly name: string
  /** Undefined where there is none; at most `limit` bytes, `limit-exceeded` for more. */
  read(name: string, limit: number): Promise<Uint8Array | undefined>
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Nothing where there is none. */
  remove(name: string): Promise<void>
  /** What is below a prefix, in no order. `usedAt` is in milliseconds since the epoch. */
  list(prefix: string): AsyncIterable<{readonly name: string; readonly size: number; readonly usedAt: number}>
}
