import {setTimeout} from 'node:timers/promises'
import {describe, expect, it} from '@jest/globals'
import type {CacheStore, StoredItem} from '../../src/cache/cache-store.js'
import {outcome} from '../outcome.js'

/** What all stores of a cache keep to: in memory, in a folder. `make` gives an empty one. */
export function cacheStoreContract(name: string, make: () => Promise<CacheStore> | CacheStore): void {
  describe(`${name}, as a store of a cache`, () => {
    const bytes = (text: string) => Buffer.from(text)
    const textOf = async (store: CacheStore, item: string, limit = 1000) => {
      const found = await store.read(item, limit)
      return found === undefined ? undefined : Buffer.from(found).toString()
    }

    it('is empty at first', async () => {
      const store = await make()
      expect({
        read: await store.read('v1/a/b', 10),
        touched: await store.touch('v1/a/b'),
        removed: await store.remove('v1/a/b'),
        removedOld: await store.remove('v1/a/b', Date.now()),
        listed: await listed(store, ''),
      }).toEqual({read: undefined, touched: false, removed: false, removedOld: false, listed: []})
    })

    it.each([
      {name: 'text', in: bytes('text')},
      {name: 'nothing', in: new Uint8Array()},
      {name: 'every byte', in: Uint8Array.from({length: 256}, (_, byte) => byte)},
      {name: 'a mebibyte', in: new Uint8Array(1024 * 1024).fill(7)},
    ])('returns what was written: $name', async ({in: written}) => {
      const store = await make()
      await store.write('v1/a/b', written)
      const read = await store.read('v1/a/b', written.length)
      expect(Buffer.from(read ?? [1, 2, 3]).equals(written)).toBe(true)
    })

    it('returns the last write', async () => {
      const store = await make()
      await store.write('v1/a/b', bytes('a longer one'))
      await store.write('v1/a/b', bytes('one'))
      expect(await textOf(store, 'v1/a/b')).toBe('one')
    })

    it('reads no more than the limit', async () => {
      const store = await make()
      await store.write('v1/a/b', bytes('12345'))
      expect([await textOf(store, 'v1/a/b', 5), await outcome(() => store.read('v1/a/b', 4))]).toEqual([
        '12345',
        'limit-exceeded',
      ])
    })

    it('lists the items below a prefix, with sizes and times', async () => {
      const store = await make()
      const before = Date.now() - 10_000
      for (const each of ['v1/a/one', 'v1/a/two', 'v1/b/three', 'v2/x']) await store.write(each, bytes(each))
      const names = async (prefix: string) => (await listed(store, prefix)).map(item => item.name)
      expect([await names('v1/a/'), await names('v1/'), await names(''), await names('v3/')]).toEqual([
        ['v1/a/one', 'v1/a/two'],
        ['v1/a/one', 'v1/a/two', 'v1/b/three'],
        ['v1/a/one', 'v1/a/two', 'v1/b/three', 'v2/x'],
        [],
      ])
      const [item] = await listed(store, 'v2/')
      expect({size: item?.size, isRecent: (item?.usedAt ?? 0) > before}).toEqual({size: 4, isRecent: true})
    })

    it('removes an item once', async () => {
      const store = await make()
      await store.write('v1/a/b', bytes('x'))
      await store.write('v1/a/c', bytes('y'))
      expect([await store.remove('v1/a/b'), await store.remove('v1/a/b')]).toEqual([true, false])
      expect([await textOf(store, 'v1/a/b'), await textOf(store, 'v1/a/c')]).toEqual([undefined, 'y'])
    })

    it('removes unused items, and keeps items used since', async () => {
      const store = await make()
      await store.write('v1/a/b', bytes('x'))
      const answers = [await store.remove('v1/a/b', Date.now() - 60_000), await textOf(store, 'v1/a/b')]
      expect([...answers, await store.remove('v1/a/b', Date.now() + 60_000)]).toEqual([false, 'x', true])
      expect(await listed(store, '')).toEqual([])
    })

    it('marks as used', async () => {
      const store = await make()
      await store.write('v1/a/b', bytes('x'))
      const [first] = await listed(store, '')
      while (Date.now() < (first?.usedAt ?? Infinity) + 20) await setTimeout(5)
      expect(await store.touch('v1/a/b')).toBe(true)
      const [second] = await listed(store, '')
      expect(second?.usedAt ?? 0).toBeGreaterThan(first?.usedAt ?? Infinity)
    })

    it.each(['', '..', '../x', 'v1/../x', '/etc/x', 'v1//x', 'v1/.x', 'v1/X', 'v1/a\\b', 'v1/a\0', 'v1/ü'])(
      'rejects the invalid name %j',
      async wrong => {
        const store = await make()
        await expect(async () => store.write(wrong, bytes('x'))).rejects.toThrow(TypeError)
        await expect(async () => store.read(wrong, 10)).rejects.toThrow(TypeError)
        await expect(async () => store.touch(wrong)).rejects.toThrow(TypeError)
        await expect(async () => store.remove(wrong)).rejects.toThrow(TypeError)
      },
    )

    it('can be read and written concurrently', async () => {
      const store = await make()
      const texts = Array.from({length: 20}, (_, index) => String(index).repeat(5000))
      const seen = await Promise.all(
        texts.map(async text => {
          await store.write('v1/a/b', bytes(text))
          return await textOf(store, 'v1/a/b', 100_000)
        }),
      )
      expect(seen.filter(text => !texts.includes(text ?? ''))).toEqual([])
      expect((await listed(store, '')).map(item => item.name)).toEqual(['v1/a/b'])
    })
  })
}

/** What a store lists, in order of names. */
export async function listed(store: CacheStore, prefix: string): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = []
  for await (const item of store.list(prefix)) items.push(item)
  return items.sort((a, b) => (a.name < b.name ? -1 : 1))
}
