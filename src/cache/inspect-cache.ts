import {storedEntries, storedTags} from './cache-contents.js'
import type {CacheStore} from './cache-store.js'
import {allFiles, type EntryFile} from './entry-document.js'
import {intactBytes} from './intact-bytes.js'

/** The number of items in a cache, and of damaged ones. */
export interface CacheInspection {
  /** All packages, including damaged ones. */
  readonly packages: number
  /** Packages and tags whose documents or files have changed since they were written. */
  readonly damaged: number
}

/** Verifies all packages and tags of a cache, and changes nothing. Throws `cache-failed`. */
export async function inspectCache(store: CacheStore): Promise<CacheInspection> {
  let [packages, damaged] = [0, 0]
  const verified = new Map<string, boolean>()
  for await (const {document} of storedEntries(store)) {
    if (document.state === 'foreign') continue
    packages += 1
    if (document.state !== 'intact' || !(await areIntact(allFiles(document.value), store, verified)))
      damaged += 1
  }
  for await (const {document} of storedTags(store)) if (document.state === 'damaged') damaged += 1
  return {packages, damaged}
}

/** Files are shared by packages: each is read once. */
async function areIntact(
  files: readonly EntryFile[],
  store: CacheStore,
  verified: Map<string, boolean>,
): Promise<boolean> {
  for (const file of files) {
    const key = `${file.sha256} ${file.size}`
    const isIntact = verified.get(key) ?? (await intactBytes(store, file)) !== undefined
    verified.set(key, isIntact)
    if (!isIntact) return false
  }
  return true
}
