import {describe, expect, it} from '@jest/globals'
import {clearCache} from '../../src/cache/clear-cache.js'
import {pruneCache} from '../../src/cache/prune-cache.js'
import {sealed} from '../../src/cache/sealed-document.js'
import {surfaceCache} from '../../src/cache/surface-cache.js'
import {memoryStore, type MemoryStore, refusingStore} from './memory-store.js'

const SURFACE = {crds: [], facts: {}}
const DAY = 24 * 3_600_000

async function kept(): Promise<{readonly store: MemoryStore; readonly name: string}> {
  const store = memoryStore(() => DAY)
  await surfaceCache(store, '1.0.0').rememberSurface('key', SURFACE)
  return {store, name: [...store.items.keys()][0] ?? ''}
}

describe('what was read of packages, in the cache', () => {
  it('is found by its key and program', async () => {
    const {store} = await kept()
    expect(await surfaceCache(store, '1.0.0').surface('key')).toEqual(SURFACE)
    expect(await surfaceCache(store, '1.0.0').surface('other')).toBeUndefined()
    expect(await surfaceCache(store, '1.0.1').surface('key')).toBeUndefined()
  })

  it.each<readonly [string, (bytes: Uint8Array) => Uint8Array]>([
    ['another byte', bytes => Buffer.from(Buffer.from(bytes).toString().replace('crds', 'crdz'))],
    ['a missing end', bytes => bytes.subarray(0, -2)],
    ['nothing', () => Buffer.alloc(0)],
    ['another key', () => sealed({key: 'other', program: '1.0.0', surface: SURFACE})],
    ['another program', () => sealed({key: 'key', program: '2.0.0', surface: SURFACE})],
    ['no surface', () => sealed({key: 'key', program: '1.0.0', surface: []})],
  ])('is removed with %s', async (_name, damaged) => {
    const {store, name} = await kept()
    store.items.set(name, {bytes: damaged(store.items.get(name)?.bytes ?? Buffer.alloc(0)), usedAt: DAY})
    expect(await surfaceCache(store, '1.0.0').surface('key')).toBeUndefined()
    expect(store.items.size).toBe(0)
  })

  it('is neither read nor written where the cache fails', async () => {
    const {store} = await kept()
    const failing = surfaceCache(refusingStore(store, ['read', 'write', 'touch']), '1.0.0')
    expect(await failing.surface('key')).toBeUndefined()
    await failing.rememberSurface('key', SURFACE)
  })

  it('is pruned if it is not used, and cleared', async () => {
    const {store} = await kept()
    const options = {unusedFor: DAY, dryRun: false}
    expect(await pruneCache(store, {...options, now: 1.5 * DAY})).toMatchObject({files: 0})
    expect(await pruneCache(store, {...options, now: 3 * DAY, dryRun: true})).toMatchObject({files: 1})
    expect(await pruneCache(store, {...options, now: 3 * DAY})).toMatchObject({
      files: 1,
      packages: [],
      tags: 0,
    })
    expect(store.items.size).toBe(0)
    const {store: other} = await kept()
    expect(await clearCache(other)).toMatchObject({items: 1})
  })
})
