import {resolve} from 'node:path'
import type {CacheStore} from '../../cache/cache-store.js'
import type {PackageCache} from '../../cache/package-cache.js'
import type {SiteMemory} from '../../cache/site-memory.js'
import type {CachedSurfaces} from '../../cache/surface-cache.js'
import type {Diagnostic} from '../../diagnostic.js'
import {CrossplaneError} from '../../errors.js'
import {cachePlace} from './cache-place.js'
import {cacheStore, clock} from '../wire.js'

/** Opens the store for the `cache` commands. Throws `usage` if neither a flag nor a home directory gives its path. */
export async function selectedStore(flags: {readonly 'cache-dir'?: string}): Promise<CacheStore> {
  const named = flags['cache-dir']
  const place = named === '' ? undefined : cachePlace(named)
  if (place !== undefined) return await cacheStore(place)
  throw new CrossplaneError(
    'usage',
    named === ''
      ? 'the value of --cache-dir is empty'
      : 'cannot find the cache: the home directory is not known',
    {suggestions: ['Pass --cache-dir DIR.']},
  )
}

/** Opens the cache for a command that fills it: a cache that cannot be used is an error. Throws `usage`. */
export async function requiredCache(
  flags: {readonly 'cache-dir'?: string},
  warn: (message: string) => void,
): Promise<PackageCache> {
  const [store, cache] = await Promise.all([selectedStore(flags), import('../../cache/package-cache.js')])
  const report = ({message}: Diagnostic) => warn(message)
  return cache.packageCache(store, {clock: await clock(), warn: report, isRequired: true})
}

/**
 * Opens the cache of what was read of packages; none where packages are not cached.
 * @param program - the version of this program.
 */
export async function openSurfaces(
  flags: {readonly 'cache-dir'?: string; readonly 'no-cache'?: boolean},
  program: string,
): Promise<CachedSurfaces | undefined> {
  const place = flags['no-cache'] === true ? undefined : cachePlace(flags['cache-dir'])
  if (place === undefined) return undefined
  const [store, {surfaceCache}] = await Promise.all([
    cacheStore(place),
    import('../../cache/surface-cache.js'),
  ])
  return surfaceCache(store, program)
}

/**
 * Opens what builds of a site remember of files; none where packages are not cached.
 * @param folder - the folder of the site.
 * @param program - the version of this program.
 */
export async function openSiteMemory(
  flags: {readonly 'cache-dir'?: string; readonly 'no-cache'?: boolean},
  folder: string,
  program: string,
): Promise<SiteMemory | undefined> {
  const place = flags['no-cache'] === true ? undefined : cachePlace(flags['cache-dir'])
  if (place === undefined) return undefined
  const [store, {siteMemory}] = await Promise.all([cacheStore(place), import('../../cache/site-memory.js')])
  return await siteMemory(store, resolve(folder), program)
}

/** Opens the cache for pulls; without a folder for it, pulls continue uncached, with a warning. */
export async function packageCache(
  flags: {readonly 'cache-dir'?: string},
  warn: (message: string) => void,
): Promise<PackageCache | undefined> {
  const place = cachePlace(flags['cache-dir'])
  if (place === undefined) {
    warn('packages are not cached, because the home directory is not known; --cache-dir selects a folder')
    return undefined
  }
  const [store, cache] = await Promise.all([cacheStore(place), import('../../cache/package-cache.js')])
  return cache.packageCache(store, {clock: await clock(), warn: diagnostic => warn(diagnostic.message)})
}
