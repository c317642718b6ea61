import {CrossplaneError} from '../errors.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {CacheStore} from './cache-store.js'
import {DOCUMENT_BYTES, sealed} from './sealed-document.js'
import {storedDocument} from './stored-document.js'

/**
 * Reads a document after marking it as used, so that no other process prunes it or its files from then on. A damaged
 * or misplaced document is removed.
 */
export async function recallDocument<T>(
  store: CacheStore,
  name: string,
  understand: (body: JsonObject) => T | undefined,
  isMeant: (value: T) => boolean,
  onDamage: () => void,
  limit = DOCUMENT_BYTES,
): Promise<T | undefined> {
  if (!(await store.touch(name))) return undefined
  const stored = await storedDocument(
    store,
    name,
    body => {
      const value = understand(body)
      return value !== undefined && isMeant(value) ? value : undefined
    },
    limit,
  )
  if (stored.state === 'intact') return stored.value
  if (stored.state !== 'damaged') return undefined
  onDamage()
  await store.remove(name)
  return undefined
}

/** Writes a document, unless it would replace one of another format version, or is too long to be read. */
export async function keepDocument(
  store: CacheStore,
  name: string,
  body: Readonly<Record<string, unknown>>,
  limit = DOCUMENT_BYTES,
): Promise<void> {
  const stored = await storedDocument(store, name, () => undefined, limit)
  if (stored.state === 'foreign') return
  const bytes = sealed(body)
  if (bytes.length <= limit) await store.write(name, bytes)
}

/** Returns undefined where the cache fails: what it has can be made again. */
export async function tolerated<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof CrossplaneError) return undefined
    throw error
  }
}
