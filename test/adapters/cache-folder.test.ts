import {execFileSync} from 'node:child_process'
import {mkdtempSync} from 'node:fs'
import * as fs from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {clearCache} from '../../src/cache/clear-cache.js'
import {packageCache} from '../../src/cache/package-cache.js'
import type {Diagnostic} from '../../src/diagnostic.js'
import {cacheStoreContract, listed} from '../cache/cache-store-contract.js'
import {AMD64, comparable, somePackage} from '../cache/some-packages.js'
import {present} from '../outcome.js'
import {temporaryFolder} from '../temporary-folder.js'

const all = temporaryFolder()
const folder = () => mkdtempSync(join(all, 'folder-'))
/** A place where nothing is yet. */
const fresh = () => join(folder(), 'deep/cache')
const TEXT = Buffer.from('text')
const failure = {code: 'cache-failed'}

cacheStoreContract('a folder', () => cacheFolder(fresh()))
cacheStoreContract('a folder that is there and empty', () => cacheFolder(folder()))
cacheStoreContract('a link to a folder', async () => {
  const link = join(folder(), 'link')
  await fs.symlink(folder(), link)
  return cacheFolder(link)
})

describe('the cache folder', () => {
  it('is private to its owner, and marked', async () => {
    const root = fresh()
    await cacheFolder(root).write('v1/files/x', TEXT)
    const modes: Record<string, string> = {}
    for (const path of ['', 'v1', 'v1/files', 'unfinished', 'v1/files/x', 'CACHEDIR.TAG'])
      modes[path] = ((await fs.stat(join(root, path))).mode & 0o777).toString(8)
    expect(modes).toEqual({
      '': '700',
      v1: '700',
      'v1/files': '700',
      unfinished: '700',
      'v1/files/x': '600',
      'CACHEDIR.TAG': '600',
    })
    expect(await fs.readFile(join(root, 'CACHEDIR.TAG'), 'utf8')).toMatch(
      /^Signature: 8a477f597d28d172789f06886806bc55\n/,
    )
    expect(await fs.readdir(join(root, 'unfinished'))).toEqual([])
  })

  it('is not created by a lookup', async () => {
    const root = fresh()
    const store = cacheFolder(root)
    await store.read('v1/files/x', 10)
    await store.touch('v1/files/x')
    await store.remove('v1/files/x')
    expect([await listed(store, ''), await fs.readdir(join(root, '../..'))]).toEqual([[], []])
  })

  it.each([
    {name: 'a file', below: ''},
    {name: 'below a file', below: 'cache'},
    {name: 'deep below a file', below: 'deep/cache'},
  ])('is rejected at $name', async ({below}) => {
    const file = join(folder(), 'file')
    await fs.writeFile(file, 'mine')
    await expect(cacheFolder(join(file, below)).write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    expect(await fs.readFile(file, 'utf8')).toBe('mine')
  })

  it('is rejected if it contains unrelated files, which are left unchanged', async () => {
    const root = folder()
    await fs.mkdir(join(root, 'v1/files'), {recursive: true})
    await fs.writeFile(join(root, 'v1/files/mine'), 'mine')
    const store = cacheFolder(root)
    await expect(store.write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    await expect(store.remove('v1/files/mine')).rejects.toMatchObject(failure)
    await expect(clearCache(store)).rejects.toMatchObject(failure)
    expect(await fs.readdir(join(root, 'v1/files'))).toEqual(['mine'])
  })

  it.each([
    {name: "another program's", tag: 'Signature: 8a477f597d28d172789f06886806bc55\n# made by another\n'},
    {name: 'one that is too long', tag: 'Signature: 8a477f597d28d172789f06886806bc55\n'.padEnd(5000, ' ')},
    {name: 'an empty one', tag: ''},
  ])('is rejected if its CACHEDIR.TAG is $name', async ({tag}) => {
    const root = folder()
    await fs.writeFile(join(root, 'CACHEDIR.TAG'), tag)
    await expect(cacheFolder(root).write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    await expect(clearCache(cacheFolder(root))).rejects.toMatchObject(failure)
  })

  it('is accepted by its default name whatever it contains, and clearing keeps unrelated files', async () => {
    const root = join(folder(), 'kubectl-crossplane')
    await fs.mkdir(join(root, 'test-servers'), {recursive: true})
    await fs.writeFile(join(root, 'test-servers/x'), 'x')
    const store = cacheFolder(root)
    await store.write('v1/files/x', TEXT)
    expect(await clearCache(store)).toEqual({items: 1, bytes: 4})
    expect(await fs.readFile(join(root, 'test-servers/x'), 'utf8')).toBe('x')
  })

  it('is rejected if all users can write to it, since they could add packages', async () => {
    const root = folder()
    await fs.chmod(root, 0o777)
    const store = cacheFolder(root)
    await expect(store.write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    await expect(store.read('v1/files/x', 10)).rejects.toMatchObject(failure)
  })

  it('can be marked by several processes at the same time', async () => {
    const root = fresh()
    const stores = Array.from({length: 10}, () => cacheFolder(root))
    await Promise.all(stores.map((store, index) => store.write(`v1/files/${index}`, TEXT)))
    expect(await listed(cacheFolder(root), 'v1/files/')).toHaveLength(10)
  })

  it('can be deleted and cleared at any time', async () => {
    const root = fresh()
    const store = cacheFolder(root)
    await store.write('v1/files/x', TEXT)
    await fs.rm(root, {recursive: true})
    expect(await store.read('v1/files/x', 10)).toBeUndefined()
    await store.write('v1/files/x', TEXT)
    expect(await store.read('v1/files/x', 10)).toEqual(TEXT)
    expect(await clearCache(cacheFolder(root))).toEqual({items: 1, bytes: 4})
  })
})

describe('a path that is not a regular file', () => {
  const secret = join(folder(), 'secret')

  const others: readonly {
    readonly name: string
    readonly put: (path: string) => Promise<unknown>
  }[] = [
    {name: 'a link to a file outside the cache', put: path => fs.symlink(secret, path)},
    {name: 'a dangling link', put: path => fs.symlink('nowhere', path)},
    {name: 'a link to itself', put: path => fs.symlink(path, path)},
    {name: 'a pipe', put: path => Promise.resolve(execFileSync('mkfifo', [path]))},
  ]

  it.each(others)('$name: is not read or listed, and is replaced by a write', async ({put}) => {
    const root = fresh()
    const store = cacheFolder(root)
    await fs.writeFile(secret, 'secret')
    await store.write('v1/files/y', TEXT)
    await put(join(root, 'v1/files/x'))
    expect([await store.read('v1/files/x', 100), (await listed(store, '')).map(({name}) => name)]).toEqual([
      undefined,
      ['v1/files/y'],
    ])
    await store.write('v1/files/x', TEXT)
    expect([await store.read('v1/files/x', 100), await fs.readFile(secret, 'utf8')]).toEqual([TEXT, 'secret'])
  })

  it.each(others)('$name: is removed itself, not its target', async ({put}) => {
    const root = fresh()
    const store = cacheFolder(root)
    await fs.writeFile(secret, 'secret')
    await fs.utimes(secret, 1, 1)
    await store.write('v1/files/y', TEXT)
    await put(join(root, 'v1/files/x'))
    await store.touch('v1/files/x')
    expect([await store.remove('v1/files/x', Date.now() + 60_000), await store.remove('v1/files/x')]).toEqual(
      [true, false],
    )
    expect([await fs.readFile(secret, 'utf8'), (await fs.stat(secret)).mtimeMs]).toEqual(['secret', 1000])
  })

  it('a folder: is not read, removed or replaced, and a write fails', async () => {
    const root = fresh()
    const store = cacheFolder(root)
    await store.write('v1/files/y', TEXT)
    await fs.mkdir(join(root, 'v1/files/x/z'), {recursive: true})
    expect([await store.read('v1/files/x', 100), await store.remove('v1/files/x')]).toEqual([
      undefined,
      false,
    ])
    await expect(store.write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    expect(await fs.readdir(join(root, 'unfinished'))).toEqual([])
  })

  it('a link in place of a folder: nothing is written, deleted or listed through it', async () => {
    const root = fresh()
    const elsewhere = folder()
    const store = cacheFolder(root)
    await store.write('v1/entries/y', TEXT)
    await fs.writeFile(join(elsewhere, 'x'), 'mine')
    await fs.symlink(elsewhere, join(root, 'v1/files'))
    await expect(store.write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    expect([await store.remove('v1/files/x'), await store.remove('v1/files/x', Infinity)]).toEqual([
      false,
      false,
    ])
    expect((await listed(store, '')).map(({name}) => name)).toEqual(['v1/entries/y'])
    expect(await clearCache(store)).toMatchObject({items: 1})
    expect(await fs.readFile(join(elsewhere, 'x'), 'utf8')).toBe('mine')
  })
})

describe('marking an entry as used', () => {
  it('is noticed by a process that is about to remove the entry', async () => {
    const root = fresh()
    const longAgo = new Date(Date.now() - 86_400_000)
    const path = join(root, 'v1/files/x')
    /** Marks the file between the look at it and its removal. */
    const store = cacheFolder(root, {
      ...fs,
      rename: async (from, to) => {
        if (String(from) === path) await fs.utimes(path, new Date(), new Date())
        await fs.rename(from, to)
      },
    })
    await store.write('v1/files/x', TEXT)
    await fs.utimes(path, longAgo, longAgo)
    expect(await store.remove('v1/files/x', Date.now() - 3_600_000)).toBe(false)
    expect(await store.read('v1/files/x', 10)).toEqual(TEXT)
    expect(await fs.readdir(join(root, 'unfinished'))).toEqual([])
  })
})

describe('a folder that cannot be written', () => {
  const refusal = (code: string) => () =>
    Promise.reject(Object.assign(new Error(`${code}: simulated`), {code, syscall: 'open'}))

  it.each(['ENOSPC', 'EROFS', 'EACCES', 'EDQUOT'])(
    '%s: pulls succeed with one warning, and existing entries are found',
    async code => {
      const root = fresh()
      const warnings: Diagnostic[] = []
      const options = {clock: {now: () => Date.now()}, warn: (warning: Diagnostic) => warnings.push(warning)}
      const [one, two] = [somePackage('one'), somePackage('two')]
      await packageCache(cacheFolder(root), options).keep(one)
      const refusing = {
        ...fs,
        open: (...args: Parameters<typeof fs.open>) =>
          args[1] === 'wx' ? refusal(code)() : fs.open(...args),
        lutimes: code === 'ENOSPC' || code === 'EDQUOT' ? fs.lutimes : refusal(code),
      }
      const cache = packageCache(cacheFolder(root, refusing), options)
      await cache.keep(two)
      await cache.keep(two)
      expect(comparable(present(await cache.find(one.digest, AMD64)))).toEqual(comparable(one))
      expect(await cache.find(two.digest, AMD64)).toBeUndefined()
      expect(warnings.map(({rule}) => rule)).toEqual(['cache-unwritable'])
      expect(await fs.readdir(join(root, 'unfinished'))).toEqual([])
    },
  )

  it('leaves no partial write when space runs out', async () => {
    const root = fresh()
    await cacheFolder(root).write('v1/files/y', TEXT)
    const store = cacheFolder(root, {
      ...fs,
      open: async (...args: Parameters<typeof fs.open>) => {
        const handle = await fs.open(...args)
        if (args[1] === 'wx') {
          handle.writeFile = async () => {
            await handle.write(Buffer.from('te'))
            await refusal('ENOSPC')()
          }
        }
        return handle
      },
    })
    await expect(store.write('v1/files/x', TEXT)).rejects.toMatchObject(failure)
    expect([await store.read('v1/files/x', 10), await fs.readdir(join(root, 'unfinished'))]).toEqual([
      undefined,
      [],
    ])
  })
})
