import type {CacheStore, StoredItem} from '../../src/cache/cache-store.js'
import {CrossplaneError} from '../../src/errors.js'

/** A store in memory; tests look at and change what it holds. */
export interface MemoryStore extends CacheStore {
  readonly items: Map<string, {bytes: Uint8Array; usedAt: number}>
}

export function memoryStore(now: () => number = Date.now): MemoryStore {
  const items: MemoryStore['items'] = new Map()
  const soon = <T>(act: () => T) => Promise.resolve().then(act)
  return {
    name: 'memory',
    items,
    read: (name, limit) =>
      soon(() => {
        const bytes = items.get(checked(name))?.bytes
        if (bytes !== undefined && bytes.length > limit)
          throw new CrossplaneError('limit-exceeded', `${name} is larger than ${limit} bytes`)
        return bytes
      }),
    write: (name, bytes) =>
      soon(() => void items.set(checked(name), {bytes: Uint8Array.from(bytes), usedAt: now()})),
    touch: name =>
      soon(() => {
        const item = items.get(checked(name))
        if (item !== undefined) item.usedAt = now()
        return item !== undefined
      }),
    remove: (name, unusedSince = Infinity) =>
      soon(() => (items.get(checked(name))?.usedAt ?? Infinity) <= unusedSince && items.delete(name)),
    async *list(prefix): AsyncGenerator<StoredItem> {
      for (const [name, {bytes, usedAt}] of [...items]) {
        await Promise.resolve()
        if (name.startsWith(prefix) && items.has(name)) yield {name, size: bytes.length, usedAt}
      }
    },
  }
}

function checked(name: string): string {
  if (name.split('/').every(segment => /^[a-z0-9][a-z0-9.-]*$/.test(segment))) return name
  throw new TypeError(`${name} names nothing in a cache`)
}

/** A store that fails, as a disk does that is full, read-only or unreadable. */
export function refusingStore(store: CacheStore, refused: readonly (keyof CacheStore)[]): CacheStore {
  const refuse = () => Promise.reject(new CrossplaneError('cache-failed', 'no space left on device'))
  return {...store, ...Object.fromEntries(refused.map(each => [each, refuse]))}
}
