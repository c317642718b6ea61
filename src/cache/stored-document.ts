import {CrossplaneError} from '../errors.js'
import type {JsonObject} from '../yaml/json-value.js'
import type {CacheStore} from './cache-store.js'
import {DOCUMENT_BYTES, opened} from './sealed-document.js'

/** The state of a document in a store. */
export type Stored<T> =
  | {readonly state: 'intact'; readonly value: T}
  | {readonly state: 'absent' | 'damaged' | 'foreign'}

/** Reads a document; `understand` returns undefined for an invalid body. Throws `cache-failed`. */
export async function storedDocument<T>(
  store: CacheStore,
  name: string,
  understand: (body: JsonObject) => T | undefined,
  limit = DOCUMENT_BYTES,
): Promise<Stored<T>> {
  const bytes = await bytesUpTo(store, name, limit)
  if (bytes === undefined || bytes === 'too long') return {state: bytes === undefined ? 'absent' : 'damaged'}
  const document = opened(bytes)
  if (document.state !== 'intact') return document
  const value = understand(document.body)
  return value === undefined ? {state: 'damaged'} : {state: 'intact', value}
}

/** Reads the bytes of a name; `too long` beyond the limit. */
export async function bytesUpTo(
  store: CacheStore,
  name: string,
  limit: number,
): Promise<Uint8Array | 'too long' | undefined> {
  try {
    return await store.read(name, limit)
  } catch (error) {
    if (error instanceof CrossplaneError && error.code === 'limit-exceeded') return 'too long'
    throw error
  }
}
