import {relative} from 'node:path'
import type {GivenFlags} from '../../completion/command-position.js'
import type {KnownNames} from '../../completion/complete.js'
import type {NamedPackage} from '../../completion/known-packages.js'
import type {Lock} from '../../declaration/lock.js'
import {cacheStore, readNamedFile} from '../wire.js'

/** The maximum size of a file that completion reads, in bytes: reading a larger one would be felt. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads names from the lock, the declaration, index files and the cache, all as commands find them. What is absent,
 * large or damaged has no names.
 */
export function knownNames(env: NodeJS.ProcessEnv = process.env): KnownNames {
  // An empty variable counts as unset.
  const variable = (name: string) => (env[name] === '' ? undefined : env[name])
  return {
    packages: async flags => {
      const [{knownPackages}, ...named] = await Promise.all([
        import('../../completion/known-packages.js'),
        orNone(() => inLock(flags)),
        orNone(() => inDeclaration(flags)),
        orNone(() => inIndexFiles(flags.index, variable('CROSSPLANE_INDEX'))),
        orNone(() => inCache(flags['cache-dir'] ?? variable('CROSSPLANE_CACHE_DIR'))),
      ])
      const source = flags['default-source'] ?? variable('CROSSPLANE_SOURCE')
      return knownPackages(named.flat(), source !== undefined)
    },
    installs: async flags =>
      await orNone(async () => {
        const {installsInLock} = await import('../../completion/known-packages.js')
        return installsInLock(await readLockFile(flags))
      }),
  }
}

/** A message would appear in the user's prompt. */
async function orNone<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  return await read().catch(() => [])
}

async function inLock(flags: GivenFlags): Promise<readonly NamedPackage[]> {
  const {packagesInLock} = await import('../../completion/known-packages.js')
  return packagesInLock(await readLockFile(flags))
}

async function readLockFile(flags: GivenFlags): Promise<Lock> {
  const [{readLock}, {lockPath}, declaration] = await Promise.all([
    import('../../declaration/read-lock.js'),
    import('../options/resolution/lock-query.js'),
    declarationPath(flags),
  ])
  const path = lockPath({...flags, declaration})
  return readLock(path, await readNamedFile(path, MAX_BYTES))
}

async function inDeclaration(flags: GivenFlags): Promise<readonly NamedPackage[]> {
  const path = await declarationPath(flags)
  if (path === undefined) return []
  const [{readDeclaration}, {packagesInDeclaration}, bytes] = await Promise.all([
    import('../../declaration/read-declaration.js'),
    import('../../completion/known-packages.js'),
    readNamedFile(path, MAX_BYTES),
  ])
  return packagesInDeclaration(readDeclaration(path, bytes))
}

async function declarationPath({declaration}: GivenFlags): Promise<string | undefined> {
  if (declaration !== undefined) return declaration
  const {nearestDeclaration} = await import('./default-declaration.js')
  const found = nearestDeclaration(process.cwd())
  return found === undefined ? undefined : relative(process.cwd(), found)
}

async function inIndexFiles(
  flag: string | undefined,
  variable: string | undefined,
): Promise<readonly NamedPackage[]> {
  if (flag === undefined && variable === undefined) return []
  const [{packagesInIndex}, {indexNames}] = await Promise.all([
    import('../../completion/index-lines.js'),
    import('../options/index/index-name.js'),
  ])
  const paths = flag === undefined ? indexNames({index: variable ?? ''}) : [flag]
  const files = await Promise.all(
    paths.map(path => orNone(async () => [await readNamedFile(path, MAX_BYTES)])),
  )
  return packagesInIndex(files.flat())
}

async function inCache(folder: string | undefined): Promise<readonly NamedPackage[]> {
  const {cachePlace} = await import('./cache-place.js')
  const place = cachePlace(folder)
  if (place === undefined) return []
  const [{packagesInCache}, store] = await Promise.all([
    import('../../completion/packages-in-cache.js'),
    cacheStore(place),
  ])
  return await packagesInCache(store)
}
