import * as nodeFs from 'node:fs/promises'
import {join} from 'node:path'
import {dirname} from 'node:path/posix'
import type {CacheStore, StoredItem} from '../cache/cache-store.js'
import {CrossplaneError} from '../errors.js'
import {attemptInCache} from './cache-failure.js'
import {
  type CacheFileSystem,
  isReached,
  NOTHING,
  readFile,
  removeFile,
  removeUnused,
  touchFile,
  writeFile,
} from './cache-files.js'
import {cacheRoot} from './cache-root.js'
import {unless} from './file-system.js'

/**
 * Opens a cache in the folder at `root`, which need not exist; it is created for its owner alone. Writes are not
 * synced: data that a power failure leaves incomplete is detected on use, like other damage.
 */
export function cacheFolder(root: string, files: CacheFileSystem = nodeFs): CacheStore {
  const place = cacheRoot(files, root)
  const at = (name: string) => join(root, checkedName(name))
  const trusted = new Set<string>()
  /** A folder is checked only once for reading, because each item in it is checked whenever it is read. */
  const isTrusted = async (folder: string) => {
    if (!trusted.has(folder) && (await isReached(files, root, folder))) trusted.add(folder)
    return trusted.has(folder)
  }
  const attempt = <T>(attempted: string, name: string, otherwise: T, act: (path: string) => Promise<T>) =>
    attemptInCache(attempted, at(name), async () =>
      (await place.isOurs()) && (await isTrusted(dirname(name))) ? await act(at(name)) : otherwise,
    )
  return {
    name: root,

    read: (name, limit) =>
      attempt('read', name, undefined, async path => {
        const bytes = await readFile(files, path, limit)
        if (bytes === 'too long') throw tooLong(path, limit)
        return bytes
      }),

    write: (name, bytes) =>
      attemptInCache('write', at(name), async () => {
        const isDone = await unless(['ENOENT'], tryToWrite(name, bytes))
        if (isDone === undefined) await tryToWrite(name, bytes) // another process has cleared the cache in between
      }),

    touch: name => attempt('mark as used', name, false, path => touchFile(files, path)),

    remove: (name, unusedSince) =>
      attempt('delete', name, false, async path => {
        if (!(await isReached(files, root, dirname(name)))) return false
        if (unusedSince === undefined) return await removeFile(files, path)
        return await removeUnused(files, root, name, unusedSince)
      }),

    async *list(prefix) {
      const top = prefix === '' ? '.' : checkedName(prefix.replace(/\/$/, ''))
      const exists = await attemptInCache(
        'list',
        root,
        async () => (await place.isOurs()) && (await isReached(files, root, top)),
      )
      if (exists) yield* filesBelow(files, root, top)
    },
  }

  async function tryToWrite(name: string, bytes: Uint8Array): Promise<true> {
    await place.prepare()
    await writeFile(files, root, name, bytes)
    return true
  }
}

const MAX_DEPTH = 4

const SEGMENT = /^[a-z0-9][a-z0-9.-]*$/

/** Throws for a name that could lead out of the folder, which is a bug of the caller. */
function checkedName(name: string): string {
  const segments = name.split('/')
  if (segments.length <= MAX_DEPTH && segments.every(segment => SEGMENT.test(segment))) return name
  throw new TypeError(`${JSON.stringify(name)} is not a name in a cache`)
}

/** Lists the regular files below a folder that have names of a cache; links are not followed. */
async function* filesBelow(files: CacheFileSystem, root: string, folder: string): AsyncGenerator<StoredItem> {
  const path = join(root, folder)
  const names = await attemptInCache('list', path, () => unless(NOTHING, files.readdir(path)))
  for (const segment of names ?? []) {
    if (!SEGMENT.test(segment)) continue
    const name = folder === '.' ? segment : `${folder}/${segment}`
    const stats = await attemptInCache('read', join(root, name), () =>
      unless(NOTHING, files.lstat(join(root, name))),
    )
    if (stats?.isFile() === true) yield {name, size: stats.size, usedAt: stats.mtimeMs}
    if (stats?.isDirectory() === true && name.split('/').length < MAX_DEPTH)
      yield* filesBelow(files, root, name)
  }
}

function tooLong(path: string, limit: number): CrossplaneError {
  return new CrossplaneError('limit-exceeded', `${path} in the cache is longer than ${limit} bytes`)
}
