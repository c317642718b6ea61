import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {entryName, fileName, indexDocumentName, tagListName, tagName} from '../../src/cache/cache-names.js'
import type {CacheStore} from '../../src/cache/cache-store.js'
import type {CachedPackage} from '../../src/cache/cached-package.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {sealed} from '../../src/cache/sealed-document.js'
import type {Diagnostic} from '../../src/diagnostic.js'
import {digestOf} from '../../src/fetch/verified-bytes.js'
import {present} from '../outcome.js'
import {memoryStore, type MemoryStore, refusingStore} from './memory-store.js'
import {AMD64, ARM, comparable, somePackage, TEAM} from './some-packages.js'

const PACKAGE = somePackage('one')
const ENTRY = entryName(PACKAGE.digest, AMD64)
const APP = fileName(digestOf(present(PACKAGE.files[0]).bytes).slice(7))

/** A cache and all that it said; its clock stands still at `now`. */
function cacheIn(store: CacheStore, now = 1_700_000_000_000) {
  const warnings: Diagnostic[] = []
  const cache = packageCache(store, {clock: {now: () => now}, warn: warning => warnings.push(warning)})
  const find = async ({digest, platform}: CachedPackage = PACKAGE) => {
    const found = await cache.find(digest, platform)
    return found === undefined ? undefined : comparable(found)
  }
  return {cache, find, warnings, rules: () => warnings.map(({rule}) => rule)}
}

async function filled(): Promise<MemoryStore> {
  const store = memoryStore(() => 1_600_000_000_000)
  await cacheIn(store).cache.keep(PACKAGE)
  return store
}

function change(store: MemoryStore, name: string, edit: (bytes: Uint8Array) => Uint8Array): void {
  const item = present(store.items.get(name))
  item.bytes = edit(item.bytes)
}

describe('a cached package', () => {
  it('is found for its platform', async () => {
    const {find, warnings} = cacheIn(await filled())
    expect(await find()).toEqual(comparable(PACKAGE))
    expect(await find({...PACKAGE, platform: ARM})).toBeUndefined()
    expect(await find(somePackage('two'))).toBeUndefined()
    expect(warnings).toEqual([])
  })

  it.each([
    {name: 'no files', files: []},
    {name: 'an empty file', files: [{path: 'app.yaml', bytes: new Uint8Array()}]},
    {
      name: 'one content twice',
      files: ['a', 'b'].map(path => ({path, bytes: Buffer.from('same')})),
    },
    {name: 'a path of any characters', files: [{path: 'ü \u{1f600}/"\\\n\u0001', bytes: Buffer.of(0, 255)}]},
  ])('can have $name', async ({files}) => {
    const found = {...PACKAGE, files}
    const {cache, find} = cacheIn(memoryStore())
    await cache.keep(found)
    expect(await find()).toEqual(comparable(found))
  })

  it('can be without a tag', async () => {
    const {tag: _tag, ...untagged} = PACKAGE
    const {cache, find} = cacheIn(memoryStore())
    await cache.keep(untagged)
    expect(await find()).toEqual(comparable(untagged))
  })

  it('shares files with other packages, which are stored once', async () => {
    const store = await filled()
    await cacheIn(store).cache.keep(somePackage('two'))
    const files = [...store.items.keys()].filter(name => name.startsWith('v1/files/'))
    expect(files).toHaveLength(5)
  })

  it('is marked as used when it is found', async () => {
    let now = 1000
    const store = memoryStore(() => now)
    const {cache, find} = cacheIn(store)
    await cache.keep(PACKAGE)
    now = 5000
    await find()
    expect([...store.items.values()].map(({usedAt}) => usedAt)).toEqual([5000, 5000, 5000, 5000])
  })
})

describe('a package whose files are removed while it is read', () => {
  it('is found, and its incomplete entry is removed', async () => {
    const store = await filled()
    const pruned: CacheStore = {
      ...store,
      read: async (name, limit) => {
        const bytes = await store.read(name, limit)
        if (name === APP) store.items.delete(name)
        return bytes
      },
    }
    expect(await cacheIn(pruned).find()).toEqual(comparable(PACKAGE))
    expect(store.items.has(ENTRY)).toBe(false)
  })
})

describe('a required cache', () => {
  it('fails where it cannot keep a package, without a warning', async () => {
    const warnings: Diagnostic[] = []
    const store = refusingStore(
      memoryStore(() => 0),
      ['write'],
    )
    const cache = packageCache(store, {
      clock: {now: () => 0},
      warn: warning => warnings.push(warning),
      isRequired: true,
    })
    await expect(cache.keep(PACKAGE)).rejects.toMatchObject({code: 'cache-failed'})
    expect(warnings).toEqual([])
  })
})

describe('a damaged entry', () => {
  const damages: readonly {
    readonly name: string
    readonly reason: string
    readonly edit: (bytes: Uint8Array) => Uint8Array
  }[] = [
    {name: 'nothing', reason: 'power was lost', edit: () => new Uint8Array()},
    {name: 'no last byte', reason: 'truncated', edit: bytes => bytes.subarray(0, -1)},
    {name: 'half of it', reason: 'truncated', edit: bytes => bytes.subarray(0, bytes.length / 2)},
    {name: 'one byte more', reason: 'added to', edit: bytes => Buffer.concat([bytes, Buffer.of(0x20)])},
    {name: 'itself twice', reason: 'added to', edit: bytes => Buffer.concat([bytes, bytes])},
    {name: 'zeros', reason: 'a block was lost', edit: bytes => new Uint8Array(bytes.length)},
    {name: 'too much', reason: 'bounded', edit: () => new Uint8Array(17 * 1024 * 1024)},
  ]

  it.each(damages)('with $name is not found, for $reason, and the next pull repairs it', async ({edit}) => {
    const store = await filled()
    change(store, ENTRY, edit)
    const {cache, find, rules} = cacheIn(store)
    expect({found: await find(), isLeft: store.items.has(ENTRY), rules: rules()}).toEqual({
      found: undefined,
      isLeft: false,
      rules: ['cache-damaged'],
    })
    await cache.keep(PACKAGE)
    expect(await find()).toEqual(comparable(PACKAGE))
  })

  it('is detected for any changed byte', async () => {
    const store = await filled()
    const intact = present(store.items.get(ENTRY)).bytes
    const {find} = cacheIn(store)
    const believed: number[] = []
    for (let at = 0; at < intact.length; at += 1) {
      for (const flip of [0x01, 0x20, 0x80]) {
        const bytes = Uint8Array.from(intact)
        bytes[at] = present(bytes[at]) ^ flip
        store.items.set(ENTRY, {bytes, usedAt: 0})
        if ((await find()) !== undefined) believed.push(at)
      }
    }
    expect({looked: intact.length > 500, believed}).toEqual({looked: true, believed: []})
  })

  it.each([
    {name: 'of another package', as: entryName(somePackage('two').digest, AMD64), find: somePackage('two')},
    {name: 'of another platform', as: entryName(PACKAGE.digest, ARM), find: {...PACKAGE, platform: ARM}},
  ])('includes an entry under the name $name', async ({as, find: requested}) => {
    const store = await filled()
    store.items.set(as, present(store.items.get(ENTRY)))
    expect(await cacheIn(store).find(requested)).toBeUndefined()
    expect(store.items.has(as)).toBe(false)
  })
})

describe('a damaged file', () => {
  it.each([
    {name: 'empty', edit: () => new Uint8Array()},
    {name: 'truncated', edit: (bytes: Uint8Array) => bytes.subarray(0, -1)},
    {name: 'longer', edit: (bytes: Uint8Array) => Buffer.concat([bytes, bytes])},
    {name: 'swapped for another of its length', edit: (bytes: Uint8Array) => Buffer.alloc(bytes.length, 'x')},
  ])('$name: the package is not found, with a warning, and the next pull repairs it', async ({edit}) => {
    const store = await filled()
    change(store, APP, edit)
    const {cache, find, rules} = cacheIn(store)
    expect({
      found: await find(),
      rules: rules(),
      file: store.items.has(APP),
      entry: store.items.has(ENTRY),
    }).toEqual({found: undefined, rules: ['cache-damaged'], file: false, entry: false})
    await cache.keep(PACKAGE)
    expect(await find()).toEqual(comparable(PACKAGE))
  })

  it('is detected for any changed byte in any file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.integer({min: 1, max: 255}), async (which, at, flip) => {
        const store = await filled()
        const names = [...store.items.keys()].filter(name => name.startsWith('v1/files/'))
        change(store, present(names[which % names.length]), bytes => {
          const edited = Uint8Array.from(bytes)
          const index = at % edited.length
          edited[index] = present(edited[index]) ^ flip
          return edited
        })
        expect(await cacheIn(store).find()).toBeUndefined()
      }),
    )
  })

  it('is handled the same if it is missing', async () => {
    const store = await filled()
    store.items.delete(APP)
    const {cache, find, rules} = cacheIn(store)
    expect([await find(), rules()]).toEqual([undefined, ['cache-damaged']])
    await cache.keep(PACKAGE)
    expect(await find()).toEqual(comparable(PACKAGE))
  })

  it('is also repaired when another package that shares it is written', async () => {
    const store = await filled()
    change(store, fileName(digestOf(Buffer.from('<svg/>')).slice(7)), () => Buffer.from('<gif/>'))
    const {cache, find} = cacheIn(store)
    await cache.keep(somePackage('two'))
    expect(await find()).toEqual(comparable(PACKAGE))
  })

  it('is kept if another process wrote it since it was read', async () => {
    const store = memoryStore(() => 1_700_000_000_000)
    await cacheIn(store).cache.keep(PACKAGE)
    change(store, APP, () => Buffer.from('damaged and rewritten at once'))
    await cacheIn(store, 1_700_000_000_000).find()
    expect(store.items.has(APP)).toBe(true)
  })
})

describe('cached tags', () => {
  it('have the digest of their last lookup', async () => {
    const store = memoryStore()
    const {cache} = cacheIn(store, 5000)
    const digest = PACKAGE.digest
    await cache.rememberTag(TEAM, 'v1', somePackage('old').digest)
    await cache.rememberTag(TEAM, 'v1', digest)
    expect([
      await cache.tagged(TEAM, 'v1'),
      await cache.tagged(TEAM, 'v2'),
      await cache.tagged({...TEAM, path: 'other'}, 'v1'),
    ]).toEqual([{repository: TEAM, tag: 'v1', digest, at: 5000}, undefined, undefined])
  })

  it('of a repository keep its order, without invalid tags', async () => {
    const {cache} = cacheIn(memoryStore(), 5000)
    await cache.rememberTags(TEAM, ['v2', 'v1', 'no tag', '../x', ''])
    expect([await cache.knownTags(TEAM), await cache.knownTags({...TEAM, path: 'other'})]).toEqual([
      {repository: TEAM, tags: ['v2', 'v1'], at: 5000},
      undefined,
    ])
  })

  it('are removed if they are damaged or of another tag', async () => {
    const store = memoryStore()
    const {cache, rules} = cacheIn(store)
    await cache.rememberTag(TEAM, 'v1', PACKAGE.digest)
    await cache.rememberTags(TEAM, ['v1'])
    const [one, list] = [tagName(TEAM, 'v1'), tagListName(TEAM)]
    store.items.set(tagName(TEAM, 'v2'), present(store.items.get(one)))
    change(store, list, bytes => bytes.subarray(1))
    expect([await cache.tagged(TEAM, 'v2'), await cache.knownTags(TEAM)]).toEqual([undefined, undefined])
    expect([[...store.items.keys()], rules()]).toEqual([[one], ['cache-damaged', 'cache-damaged']])
  })
})

describe('a cached index document', () => {
  const [bytes, name] = [Buffer.from('{"x":"ü"}'), indexDocumentName(TEAM, 'sql-v1')]

  it('is stored byte for byte, for its index and its tag', async () => {
    const {cache} = cacheIn(memoryStore())
    await cache.rememberIndexDocument(TEAM, 'sql-v1', bytes)
    await cache.rememberIndexDocument(TEAM, 'empty', Buffer.of())
    expect([
      await cache.indexDocument(TEAM, 'sql-v1'),
      await cache.indexDocument(TEAM, 'empty'),
      await cache.indexDocument(TEAM, 'sql-v2'),
      await cache.indexDocument({...TEAM, path: 'other'}, 'sql-v1'),
      await cache.indexDocument({...TEAM, registry: 'docker.io'}, 'sql-v1'),
    ]).toEqual([bytes, Buffer.of(), undefined, undefined, undefined])
  })

  it.each<{name: string; edit: (store: MemoryStore) => unknown}>([
    {name: 'truncated', edit: store => change(store, name, all => all.subarray(0, -1))},
    {name: 'too long', edit: store => change(store, name, () => new Uint8Array(17 * 1024 * 1024))},
    {
      name: 'another tag’s',
      edit: store => store.write(name, sealed({root: TEAM, tag: 'sql-v2', base64: 'e30='})),
    },
    {
      name: 'another index’s',
      edit: store => store.write(name, sealed({root: {...TEAM, path: 'x'}, tag: 'sql-v1', base64: 'e30='})),
    },
    {name: 'without bytes', edit: store => store.write(name, sealed({root: TEAM, tag: 'sql-v1'}))},
    {
      name: 'of an invalid tag',
      edit: store => store.write(name, sealed({root: TEAM, tag: '../x', base64: ''})),
    },
  ])('is removed if it is $name, and repaired by the next read', async ({edit}) => {
    const store = memoryStore()
    const {cache, rules} = cacheIn(store)
    await cache.rememberIndexDocument(TEAM, 'sql-v1', bytes)
    await edit(store)
    expect([await cache.indexDocument(TEAM, 'sql-v1'), [...store.items.keys()], rules()]).toEqual([
      undefined,
      [],
      ['cache-damaged'],
    ])
    await cache.rememberIndexDocument(TEAM, 'sql-v1', bytes)
    expect(await cache.indexDocument(TEAM, 'sql-v1')).toEqual(bytes)
  })

  it('of another format version is left unchanged', async () => {
    const store = memoryStore()
    const {cache, rules} = cacheIn(store)
    const foreign = sealed({formatVersion: 2})
    await store.write(name, foreign)
    await cache.rememberIndexDocument(TEAM, 'sql-v1', bytes)
    expect([await cache.indexDocument(TEAM, 'sql-v1'), store.items.get(name)?.bytes, rules()]).toEqual([
      undefined,
      Uint8Array.from(foreign),
      [],
    ])
  })
})

describe('a cache that fails', () => {
  it('has one warning if it cannot be written, and does not fail pulls', async () => {
    const store = refusingStore(await filled(), ['write'])
    const {cache, find, warnings} = cacheIn(store)
    await cache.keep(somePackage('two'))
    await cache.keep(somePackage('three'))
    await cache.rememberTag(TEAM, 'v1', PACKAGE.digest)
    await cache.rememberTags(TEAM, ['v1'])
    await cache.rememberIndexDocument(TEAM, 'x', Buffer.of())
    expect(await find()).toEqual(comparable(PACKAGE))
    expect(warnings).toEqual([
      {
        severity: 'warning',
        rule: 'cache-unwritable',
        message: 'no space left on device; packages will be pulled again',
      },
    ])
  })

  it('has one warning if it cannot be read, and finds nothing', async () => {
    const {cache, find, rules} = cacheIn(refusingStore(await filled(), ['read']))
    expect([await find(), await find(), await cache.tagged(TEAM, 'v1'), await cache.knownTags(TEAM)]).toEqual(
      [undefined, undefined, undefined, undefined],
    )
    expect(rules()).toEqual(['cache-unreadable'])
  })

  it('has a warning if it cannot be repaired, and finds nothing', async () => {
    const store = await filled()
    change(store, APP, () => new Uint8Array())
    const {find, rules} = cacheIn(refusingStore(store, ['remove']))
    expect([await find(), rules()]).toEqual([undefined, ['cache-damaged', 'cache-unreadable']])
  })

  it('stores no entry whose files it could not write', async () => {
    const store = memoryStore()
    let writes = 0
    const failing: CacheStore = {
      ...store,
      write: (name, bytes) => {
        writes += 1
        return (writes === 3 ? refusingStore(store, ['write']) : store).write(name, bytes)
      },
    }
    await cacheIn(failing).cache.keep(PACKAGE)
    expect({hasEntry: store.items.has(ENTRY), writes}).toEqual({hasEntry: false, writes: 3})
  })

  it('does not hide a bug', async () => {
    const store: CacheStore = {...memoryStore(), touch: () => Promise.reject(new TypeError('a bug'))}
    await expect(cacheIn(store).find()).rejects.toThrow(TypeError)
  })
})
