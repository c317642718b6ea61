import {createHash} from 'node:crypto'
import {SOURCE_LIMITS} from '../fetch/source-limits.js'
import {asObject, isJsonObject, type JsonObject} from '../yaml/json-value.js'
import {SURFACES} from './cache-names.js'
import type {CacheStore} from './cache-store.js'
import {keepDocument, recallDocument, tolerated} from './recalled-document.js'

/** What users depend on of packages, by the content that it was read of. */
export interface CachedSurfaces {
  /** The document of a key, every byte checked. */
  surface(key: string): Promise<JsonObject | undefined>
  rememberSurface(key: string, surface: JsonObject): Promise<void>
}

/**
 * Opens the surfaces in a store. Where the cache fails or is damaged, they are read of packages again, without a warning.
 * @param program - the version of this program: others may read other facts of the same package.
 */
export function surfaceCache(store: CacheStore, program: string): CachedSurfaces {
  return {
    surface: async key =>
      await tolerated(async () => {
        const isMeant = (body: JsonObject) => body.key === key && body.program === program
        const read = (body: JsonObject) => (isJsonObject(body.surface) ? body : undefined)
        const ignore = () => undefined
        const body = await recallDocument(store, nameOf(key, program), read, isMeant, ignore, LIMIT)
        return body && asObject(body.surface)
      }),
    rememberSurface: async (key, surface) => {
      await tolerated(async () => {
        await keepDocument(store, nameOf(key, program), {key, program, surface}, LIMIT)
      })
    },
  }
}

/** Without descriptions, schemas take a fifth of the package that they are read of. */
const LIMIT = SOURCE_LIMITS.xpkgBytes

function nameOf(key: string, program: string): string {
  return `${SURFACES}${createHash('sha256')
    .update(JSON.stringify([key, program]))
    .digest('hex')}`
}
