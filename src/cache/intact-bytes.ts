import {digestOf} from '../fetch/verified-bytes.js'
import {fileName} from './cache-names.js'
import type {CacheStore} from './cache-store.js'
import type {EntryFile} from './entry-document.js'
import {bytesUpTo} from './stored-document.js'

/** Reads a file of a package; undefined unless size and hash are those of the entry. Throws `cache-failed`. */
export async function intactBytes(
  store: CacheStore,
  {size, sha256}: Pick<EntryFile, 'size' | 'sha256'>,
): Promise<Uint8Array | undefined> {
  const bytes = await bytesUpTo(store, fileName(sha256), size)
  if (bytes === undefined || bytes === 'too long' || bytes.length !== size) return undefined
  return digestOf(bytes) === `sha256:${sha256}` ? bytes : undefined
}
