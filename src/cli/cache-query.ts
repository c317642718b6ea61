import type {CacheStore} from '../cache/cache-store.js'
import {CrossplaneError} from '../errors.js'
import {cachePlace} from './cache-place.js'
import {cacheStore} from './wire.js'

/** The store that a command about the cache is about. Throws `usage` where there is no place for one. */
export async function chosenStore(flags: {readonly 'cache-dir'?: string}): Promise<CacheStore> {
  const named = flags['cache-dir']
  const place = named === '' ? undefined : cachePlace(named)
  if (place !== undefined) return await cacheStore(place)
  throw new CrossplaneError(
    'usage',
    named === '' ? '--cache-dir names no folder' : 'there is no home directory to keep a cache in',
    {suggestions: ['Pass --cache-dir DIR.']},
  )
}
