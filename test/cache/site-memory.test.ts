import {expect, it} from '@jest/globals'
import {SITES} from '../../src/cache/cache-names.js'
import {pruneCache} from '../../src/cache/prune-cache.js'
import {siteMemory} from '../../src/cache/site-memory.js'
import {memoryStore} from './memory-store.js'

const SITE = '/home/ada/site'

/** A store in which a build remembered two groups of pages and a package. */
async function remembered() {
  const store = memoryStore(() => 0)
  const {pages, packages} = await siteMemory(store, SITE, '1.0.0')
  packages.set('package', 'key')
  await pages.replace(['a', 'b'])
  const seen = async (site = SITE, program = '1.0.0') => {
    const own = await siteMemory(store, site, program)
    return [own.pages.has('a'), own.packages.get('package')]
  }
  return {store, seen}
}

it('remembers pages and packages of one site and program', async () => {
  const {store, seen} = await remembered()
  expect(await seen()).toEqual([true, 'key'])
  expect(await seen('/home/ada/other')).toEqual([false, undefined])
  expect(await seen(SITE, '1.0.1')).toEqual([false, undefined])
  const again = await siteMemory(store, SITE, '1.0.0')
  await again.pages.replace(['b'])
  expect(await seen()).toEqual([false, undefined])
})

it('is unknown again where it is damaged or pruned', async () => {
  const {store, seen} = await remembered()
  const [[name = '', item] = []] = store.items
  expect(name.startsWith(SITES)).toBe(true)
  store.items.set(name, {...item!, bytes: Buffer.from(String(item!.bytes).replace('key', 'kei'))})
  expect(await seen()).toEqual([false, undefined])
  const other = await remembered()
  await pruneCache(other.store, {now: 10, unusedFor: 5, dryRun: false})
  expect(other.store.items.size).toBe(0)
})
