import {createHash} from 'node:crypto'
import {asObject, asText, asTexts, isJsonArray, isJsonObject, type JsonObject} from '../yaml/json-value.js'
import {SITES} from './cache-names.js'
import type {CacheStore} from './cache-store.js'
import {keepDocument, recallDocument, tolerated} from './recalled-document.js'

/** What the last build of a site saw of local files: as long as that is the same, their contents are. */
export interface SiteMemory {
  /** The groups of pages that are as the build wrote them, by seals. */
  readonly pages: {
    has(seal: string): boolean
    /** Takes all seals that hold now, and keeps everything that was remembered. */
    replace(seals: readonly string[]): Promise<void>
  }
  /** The keys of packages, by seals. */
  readonly packages: {
    get(seal: string): string | undefined
    set(seal: string, key: string): void
  }
}

interface Remembered {
  readonly pages: ReadonlySet<string>
  readonly packages: ReadonlyMap<string, string>
}

const NOTHING: Remembered = {pages: new Set(), packages: new Map()}

/**
 * Opens what is remembered of a site. Where the cache fails or is damaged, files are read again, without a warning.
 * @param site - the absolute path of its folder.
 * @param program - the version of this program: others may read packages in another way.
 */
export async function siteMemory(store: CacheStore, site: string, program: string): Promise<SiteMemory> {
  const name = `${SITES}${createHash('sha256')
    .update(JSON.stringify([site, program]))
    .digest('hex')}`
  const former = (await tolerated(async () => await recalled(store, name, {site, program}))) ?? NOTHING
  const packages = new Map<string, string>()
  return {
    pages: {
      has: seal => former.pages.has(seal),
      replace: async seals => {
        const pages = new Set(seals)
        const areSame = [...packages].every(([seal, key]) => former.packages.get(seal) === key)
        if (areSame && packages.size === former.packages.size && isSame(pages, former.pages)) return
        const body = {site, program, pages: [...pages], packages: Object.fromEntries(packages)}
        await tolerated(async () => await keepDocument(store, name, body))
      },
    },
    packages: {
      get: seal => {
        const key = former.packages.get(seal)
        if (key !== undefined) packages.set(seal, key)
        return key
      },
      set: (seal, key) => void packages.set(seal, key),
    },
  }
}

async function recalled(
  store: CacheStore,
  name: string,
  own: {readonly site: string; readonly program: string},
): Promise<Remembered | undefined> {
  const isMeant = ({site, program}: JsonObject) => site === own.site && program === own.program
  const read = (body: JsonObject) => (isSiteDocument(body) ? body : undefined)
  const body = await recallDocument(store, name, read, isMeant, () => undefined)
  if (body === undefined) return undefined
  const packages = Object.entries(asObject(body.packages)).map(([seal, key]) => [seal, asText(key)] as const)
  return {pages: new Set(asTexts(body.pages)), packages: new Map(packages)}
}

function isSiteDocument({pages, packages}: JsonObject): boolean {
  return (
    isJsonArray(pages) &&
    asTexts(pages).length === pages.length &&
    isJsonObject(packages) &&
    Object.values(packages).every(key => typeof key === 'string')
  )
}

function isSame(seals: ReadonlySet<string>, former: {readonly size: number; has(seal: string): boolean}) {
  return seals.size === former.size && [...seals].every(seal => former.has(seal))
}
