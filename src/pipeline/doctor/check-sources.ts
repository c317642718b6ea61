import type {CacheStore} from '../../cache/cache-store.js'
import {inspectCache} from '../../cache/inspect-cache.js'
import {type Check, failedCheck, skippedCheck} from '../../doctor/check.js'
import {checkCache, checkIndex, checkRegistry} from '../../doctor/check-sources.js'
import {CrossplaneError} from '../../errors.js'
import {attempt} from './attempt.js'
import type {NamedIndex, RegistryRequests} from './ports.js'

/** Sends one request to each registry, with the credentials of the user if there are any. */
export async function registryChecks(
  hosts: readonly string[],
  registries: RegistryRequests,
): Promise<readonly Check[]> {
  return await Promise.all(hosts.map(host => registryCheck(host, registries)))
}

async function registryCheck(host: string, registries: RegistryRequests): Promise<Check> {
  const hasCredentials = await attempt(() => registries.hasCredentials(host))
  if (hasCredentials instanceof CrossplaneError) return failedCheck('registry', hasCredentials)
  const failure = await attempt(() => registries.request(host))
  return checkRegistry({host, hasCredentials, ...(failure instanceof CrossplaneError ? {failure} : {})})
}

/** An API group that no package owns: a lookup of it reads the root of an index and the list of its groups. */
const UNUSED_GROUP = 'doctor.invalid'

/** Looks up something in each index. */
export async function indexChecks(indexes: readonly NamedIndex[]): Promise<readonly Check[]> {
  if (indexes.length === 0) {
    return [skippedCheck('index', 'no index is selected', 'Pass --index ROOT|FILE, or set CROSSPLANE_INDEX.')]
  }
  return await Promise.all(
    indexes.map(async ({name, open}) => {
      const answer = await attempt(async () => (await open()).ofGroup(UNUSED_GROUP))
      return checkIndex(name, answer instanceof CrossplaneError ? answer : undefined)
    }),
  )
}

/** Reads the whole cache, and verifies each file. */
export async function cacheCheck(open: () => Promise<CacheStore | undefined>): Promise<Check> {
  const seen = await attempt(async () => {
    const store = await open()
    return store === undefined ? undefined : {name: store.name, ...(await inspectCache(store))}
  })
  return seen === undefined
    ? skippedCheck('cache', 'no home directory for the cache', 'Pass --cache-dir DIR.')
    : checkCache(seen)
}
