import {describe, expect, it} from '@jest/globals'
import {entryName, fileName, tagName} from '../../src/cache/cache-names.js'
import {clearCache} from '../../src/cache/clear-cache.js'
import {listCache} from '../../src/cache/list-cache.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {pruneCache} from '../../src/cache/prune-cache.js'
import {sealed} from '../../src/cache/sealed-document.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'
import {present} from '../outcome.js'
import {memoryStore, type MemoryStore} from './memory-store.js'
import {AMD64, comparable, somePackage, TEAM} from './some-packages.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const [OLD, NEW] = [somePackage('old'), somePackage('new')]
const nameOf = ({digest}: {digest: typeof OLD.digest}) => entryName(digest, AMD64)

/** A store where a day has passed for each `keep` so far, with a cache that drops its warnings. */
function kept() {
  let now = 100 * DAY
  const store = memoryStore(() => now)
  const cache = packageCache(store, {clock: {now: () => now}, warn: () => undefined})
  return {store, cache, now: () => now, pass: (time: number) => (now += time)}
}

/** Old was used 40 days ago, New just now; they share one file of three. */
async function oldAndNew() {
  const all = kept()
  await all.cache.keep(OLD)
  await all.cache.rememberTag(TEAM, 'old', OLD.digest)
  await all.cache.rememberTags(TEAM, ['old'])
  all.pass(40 * DAY)
  await all.cache.keep(NEW)
  await all.cache.rememberTag(TEAM, 'new', NEW.digest)
  return all
}

const sizeOf = (store: MemoryStore) =>
  [...store.items.values()].reduce((sum, {bytes}) => sum + bytes.length, 0)

describe('listing', () => {
  it('shows each package with its tags, the most recently used first', async () => {
    const {store, cache, now} = await oldAndNew()
    await cache.rememberTag({registry: 'docker.io', path: 'team/x'}, 'v1', NEW.digest)
    const files = 3
    expect(await listCache(store)).toEqual([
      {
        digest: NEW.digest,
        platform: 'linux/amd64',
        references: ['registry.example.org:5000/team/provider:new', 'team/x:v1'],
        files,
        bytes: 27,
        usedAt: now(),
      },
      {
        digest: OLD.digest,
        platform: 'linux/amd64',
        references: ['registry.example.org:5000/team/provider:old'],
        files,
        bytes: 27,
        usedAt: now() - 40 * DAY,
      },
    ])
  })

  it('shows the repository of packages pulled by digest, in a stable order', async () => {
    const {store, cache} = kept()
    const both = [OLD, NEW, {...OLD, platform: {os: 'linux', architecture: 'arm64'}}]
    for (const each of both) await cache.keep(each)
    const listed = await listCache(store)
    expect(listed.map(({digest, platform}) => `${digest} ${platform}`)).toEqual(
      [`${OLD.digest} linux/amd64`, `${OLD.digest} linux/arm64`, `${NEW.digest} linux/amd64`].sort(),
    )
    expect(listed.map(({references}) => references)).toEqual(
      both.map(() => ['registry.example.org:5000/team/provider']),
    )
  })

  it('omits entries that are damaged, of another version or under another name', async () => {
    const {store} = await oldAndNew()
    present(store.items.get(nameOf(OLD))).bytes = Buffer.from('garbage')
    await store.write('v1/entries/future', sealed({formatVersion: 2}))
    await store.write('v1/entries/copy', present(store.items.get(nameOf(NEW))).bytes)
    await store.write(tagName(TEAM, 'bad'), Buffer.from('garbage'))
    expect((await listCache(store)).map(({digest}) => digest)).toEqual([NEW.digest])
  })
})

describe('pruning', () => {
  const options = (now: number) => ({now, unusedFor: 30 * DAY, dryRun: false})

  it('removes unused packages with their tags and unshared files', async () => {
    const {store, cache, now} = await oldAndNew()
    const before = sizeOf(store)
    const pruned = await pruneCache(store, options(now()))
    expect(pruned).toEqual({
      packages: [{digest: OLD.digest, platform: 'linux/amd64'}],
      tags: 2,
      files: 2,
      bytes: before - sizeOf(store),
    })
    expect(comparable(present(await cache.find(NEW.digest, AMD64)))).toEqual(comparable(NEW))
    expect({
      old: await cache.find(OLD.digest, AMD64),
      tag: await cache.tagged(TEAM, 'old'),
      tags: await cache.knownTags(TEAM),
      left: [...store.items.keys()].filter(name => name.startsWith('v1/files/')).length,
    }).toEqual({old: undefined, tag: undefined, tags: undefined, left: 3})
    expect(await pruneCache(store, options(now()))).toEqual({packages: [], tags: 0, files: 0, bytes: 0})
  })

  it('reports the items to remove in a dry run, and removes nothing', async () => {
    const {store, now} = await oldAndNew()
    const before = [...store.items.keys()]
    const dry = await pruneCache(store, {...options(now()), dryRun: true})
    expect([...store.items.keys()]).toEqual(before)
    expect(dry).toEqual(await pruneCache(store, options(now())))
  })

  it('keeps recently used packages of any age', async () => {
    const {store, cache, now} = await oldAndNew()
    await cache.find(OLD.digest, AMD64)
    await cache.tagged(TEAM, 'old')
    await cache.knownTags(TEAM)
    expect(await pruneCache(store, options(now()))).toEqual({packages: [], tags: 0, files: 0, bytes: 0})
    expect(comparable(present(await cache.find(OLD.digest, AMD64)))).toEqual(comparable(OLD))
  })

  it('keeps the files of examples; without them a package is still found', async () => {
    const {store, cache, now, pass} = kept()
    const examples = [{path: 'examples.yaml', bytes: Buffer.from('kind: Db\n')}]
    await cache.keep({...NEW, baseLayers: 1, examples})
    pass(2 * HOUR)
    expect(await pruneCache(store, options(now()))).toMatchObject({packages: [], files: 0})
    expect(await listCache(store)).toMatchObject([{files: 4}])
    expect((await cache.find(NEW.digest, AMD64))?.examples).toEqual(examples)
    await store.remove(fileName(digestOf(Buffer.from('kind: Db\n')).slice('sha256:'.length)))
    for (const time of ['first', 'second']) {
      const {files, examples: left} = present(await cache.find(NEW.digest, AMD64))
      expect({time, files: files.length, left}).toEqual({time, files: 3, left: undefined})
    }
  })

  it('removes unused index documents, and no others', async () => {
    const {store, cache, now, pass} = kept()
    for (const tag of ['old', 'used']) await cache.rememberIndexDocument(TEAM, tag, Buffer.from('{}'))
    pass(40 * DAY)
    await cache.indexDocument(TEAM, 'used')
    await cache.rememberIndexDocument(TEAM, 'new', Buffer.from('{}'))
    expect(await pruneCache(store, {...options(now()), dryRun: true})).toMatchObject({packages: [], tags: 1})
    expect(await pruneCache(store, options(now()))).toMatchObject({packages: [], tags: 1, files: 0})
    const left = ['old', 'used', 'new'].map(async tag => (await cache.indexDocument(TEAM, tag)) !== undefined)
    expect(await Promise.all(left)).toEqual([false, true, true])
    expect(await listCache(store)).toEqual([])
    expect(await clearCache(store)).toMatchObject({items: 2})
  })

  it('keeps files of an unfinished write for an hour', async () => {
    const {store, now, pass} = kept()
    await store.write('v1/files/lonely', Buffer.from('x'))
    await store.write('unfinished/1-a', Buffer.from('x'))
    pass(HOUR - 1)
    expect(await pruneCache(store, options(now()))).toMatchObject({files: 0})
    pass(1)
    expect(await pruneCache(store, options(now()))).toMatchObject({files: 2, bytes: 2})
    expect(store.items.size).toBe(0)
  })

  it('removes every package at once for a duration of zero', async () => {
    const {store, now} = await oldAndNew()
    expect(await pruneCache(store, {...options(now()), unusedFor: 0})).toMatchObject({tags: 3})
    expect(await listCache(store)).toEqual([])
  })

  it('removes damaged entries after an hour', async () => {
    const {store, now, pass} = kept()
    await store.write('v1/entries/damaged', Buffer.from('garbage'))
    expect(await pruneCache(store, options(now()))).toMatchObject({files: 0})
    pass(HOUR)
    expect(await pruneCache(store, options(now()))).toMatchObject({packages: [], files: 1, bytes: 7})
  })

  it('keeps a package of another format version, and all files, which it may use', async () => {
    const {store, now, pass} = await oldAndNew()
    await store.write('v1/entries/future', sealed({formatVersion: 2}))
    await store.write('v2/anything', Buffer.from('x'))
    pass(100 * DAY)
    expect(await pruneCache(store, options(now()))).toMatchObject({files: 0})
    expect([...store.items.keys()].filter(name => !name.startsWith('v1/files/'))).toEqual([
      'v1/entries/future',
      'v2/anything',
    ])
  })

  it('keeps a package that is used between listing and removal, with its files', async () => {
    const {store, cache, now} = await oldAndNew()
    const meddling = {
      ...store,
      remove: async (name: string, since?: number) => {
        if (name === nameOf(OLD)) await store.touch(name)
        return await store.remove(name, since)
      },
    }
    expect(await pruneCache(meddling, options(now()))).toMatchObject({packages: [], files: 0})
    expect(comparable(present(await cache.find(OLD.digest, AMD64)))).toEqual(comparable(OLD))
  })

  it('keeps the files of a package that is written between listing and removal', async () => {
    const {store, cache, now} = await oldAndNew()
    let isWritten = false
    const meddling = {
      ...store,
      async *list(prefix: string) {
        for await (const item of store.list(prefix)) {
          if (prefix === 'v1/files/' && !isWritten) {
            isWritten = true
            await cache.keep(OLD)
          }
          yield item
        }
      },
    }
    await pruneCache(meddling, options(now()))
    expect(isWritten).toBe(true)
    expect(comparable(present(await cache.find(OLD.digest, AMD64)))).toEqual(comparable(OLD))
  })
})

describe('clearing', () => {
  it('removes the contents of caches of any version, and nothing else', async () => {
    const {store} = await oldAndNew()
    const bytes = sizeOf(store) + 2
    const items = store.items.size + 2
    await store.write('unfinished/1-a', Buffer.from('x'))
    await store.write('v12/x', Buffer.from('x'))
    for (const foreign of ['test-servers/x', 'v/x', 'vx/x', 'v1'])
      await store.write(foreign, Buffer.from('x'))
    expect(await clearCache(store)).toEqual({items, bytes})
    expect([...store.items.keys()]).toEqual(['test-servers/x', 'v/x', 'vx/x', 'v1'])
  })

  it('does not count items that another process removed', async () => {
    const {store} = await oldAndNew()
    const gone = {...store, remove: async (name: string) => (await store.remove(name), false)}
    expect(await clearCache(gone)).toEqual({items: 0, bytes: 0})
  })
})
