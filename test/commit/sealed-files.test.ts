import {describe, expect, it} from '@jest/globals'
import {readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {attemptInCache} from '../../src/adapters/cache-failure.js'
import {type FileSystem, realFileSystem} from '../../src/adapters/file-system.js'
import {outputFolder} from '../../src/adapters/output-folder.js'
import {JOURNAL} from '../../src/commit/journal.js'
import type {SealMemory} from '../../src/commit/sealed-files.js'
import {type FileSink, writeStreamed} from '../../src/commit/streamed-write.js'
import {LOCK} from '../../src/commit/write-folder.js'
import {sha256Of} from '../../src/plan/sha256.js'
import {temporaryFolder} from '../temporary-folder.js'

const home = temporaryFolder()

const PAGES = ['p/a.html', 'p/b.html'].map(path => ({path, content: `<p>${path}</p>`}))
const GROUP = PAGES.map(({path, content}) => ({path, after: sha256Of(content)}))

/** A file system with other times. */
function lstatWith(timeOf: (path: string, nanoseconds: bigint) => bigint): FileSystem['lstat'] {
  return (async (path: string, options?: {readonly bigint: true}) => {
    if (options?.bigint !== true) return await realFileSystem.lstat(path)
    const stats = await realFileSystem.lstat(path, options)
    return Object.assign(stats, {mtimeNs: timeOf(path, stats.mtimeNs), ctimeNs: timeOf(path, stats.ctimeNs)})
  }) as FileSystem['lstat']
}
/** Those of FAT change every two seconds, these every day. */
const COARSE = lstatWith((_path, time) => time - (time % 86_400_000_000_000n))
/** Pages are moved in less time than that of the clock of Linux, but for large sites. */
const FINE = lstatWith((path, time) => (path.endsWith('/clock') ? time + 20_000_000n : time))

const full = () => Object.assign(new Error('no space left on device'), {code: 'ENOSPC', syscall: 'write'})

/** A folder whose pages were written in a first run, and what counts how many files are hashed. */
async function written(name: string, lstat = FINE) {
  const root = join(home, name)
  const hashed: string[] = []
  const scan: FileSystem['scan'] = async (path, take) => {
    hashed.push(path.slice(root.length + 1))
    await realFileSystem.scan(path, take)
  }
  const folder = outputFolder(root, {files: {...realFileSystem, lstat, scan}})
  let seals: readonly string[] = []
  const memory: SealMemory = {
    has: seal => seals.includes(seal),
    replace: own => Promise.resolve(void (seals = own)),
  }
  const run = async <T>(make: (sink: FileSink) => Promise<T>) => {
    hashed.length = 0
    return (await writeStreamed(folder, {expectOwn: () => undefined, make, seals: memory})).made
  }
  const writeAll = async (sink: FileSink) => {
    for (const {path, content} of PAGES) await sink.put(path, content)
    sink.group(GROUP)
  }
  const keepOrWrite = async (sink: FileSink) => {
    const isKept = await sink.keep(GROUP)
    const ofPages = hashed.filter(path => path.startsWith('p/'))
    if (!isKept) await writeAll(sink)
    return {isKept, hashed: ofPages}
  }
  await run(writeAll)
  return {
    at: (path: string) => join(root, path),
    again: async () => await run(keepOrWrite),
    forget: () => void (seals = []),
    seals: () => seals,
  }
}

const forgetful: SealMemory = {has: () => false, replace: () => Promise.resolve()}
it.each([
  {
    name: 'a full cache',
    files: () => ({}),
    seals: {
      ...forgetful,
      replace: async () => await attemptInCache('write', 'seals', () => Promise.reject(full())),
    },
  },
  {
    name: 'a full folder',
    files: () => ({
      create: (path: string, mode: number) =>
        path.endsWith('/clock') ? Promise.reject(full()) : realFileSystem.create(path, mode),
    }),
    seals: forgetful,
  },
  {
    name: 'a run that loses its lock after the last change',
    files: (root: string) => ({
      unlink: async (path: string) => {
        await realFileSystem.unlink(path)
        if (path === join(root, JOURNAL)) rmSync(join(root, LOCK), {recursive: true})
      },
    }),
    seals: forgetful,
  },
])('pages are in place although $name cannot remember them', async ({name, files, seals}) => {
  const root = join(home, name.replaceAll(' ', '-'))
  const folder = outputFolder(root, {files: {...realFileSystem, ...files(root)}})
  const make = async (sink: FileSink) => {
    for (const {path, content} of PAGES) await sink.put(path, content)
    sink.group(GROUP)
  }
  await writeStreamed(folder, {expectOwn: () => undefined, make, seals})
  expect(PAGES.map(({path}) => readFileSync(join(root, path), 'utf8'))).toEqual(
    PAGES.map(({content}) => content),
  )
})

it('a failure that is not of a file system is not passed over once the pages are in place', async () => {
  const folder = outputFolder(join(home, 'bug'))
  const seals = {...forgetful, replace: () => Promise.reject(new TypeError('seals is not iterable'))}
  const make = async (sink: FileSink) => await sink.put('p/a.html', 'a')
  await expect(writeStreamed(folder, {expectOwn: () => undefined, make, seals})).rejects.toThrow(TypeError)
})

describe('pages that are as the last run wrote them', () => {
  it('are not read', async () => {
    const {again} = await written('same')
    expect(await again()).toEqual({isKept: true, hashed: []})
    expect(await again()).toEqual({isKept: true, hashed: []})
  })

  it('are read where nothing is remembered, until they can have no second change at the same time', async () => {
    const {again, forget, seals} = await written('forgotten')
    forget()
    expect(await again()).toEqual({isKept: true, hashed: ['p/a.html', 'p/b.html']})
    expect(seals()).toEqual([])
    await new Promise(resolve => setTimeout(resolve, 2_100))
    expect((await again()).hashed).toHaveLength(2)
    expect(await again()).toEqual({isKept: true, hashed: []})
  })

  it('are read if the clock of the file system is too coarse to tell them from those of a second change', async () => {
    const {again, seals} = await written('coarse', COARSE)
    expect(seals()).toEqual([])
    expect((await again()).hashed).toHaveLength(2)
  })

  it.each([
    {
      name: 'edited',
      what: 'edited to the same size, with the time of before',
      change: (path: string) => {
        const {atime, mtime} = statSync(path)
        writeFileSync(path, readFileSync(path, 'utf8').replace('b', 'x'))
        utimesSync(path, atime, mtime)
      },
    },
    {
      name: 'replaced',
      what: 'replaced by another file of the same time',
      change: (path: string) => {
        const {atime, mtime} = statSync(path)
        const text = readFileSync(path, 'utf8')
        rmSync(path)
        writeFileSync(path, text.replace('b', 'x'))
        utimesSync(path, atime, mtime)
      },
    },
  ])('are told from those that were $what', async ({name, change}) => {
    const {again, at} = await written(name)
    change(at('p/b.html'))
    await expect(again()).rejects.toMatchObject({code: 'output-refused'})
  })

  it('are read again after a change that leaves their content', async () => {
    const {again, at} = await written('touched')
    utimesSync(at('p/a.html'), 1, 1)
    expect(await again()).toEqual({isKept: true, hashed: ['p/a.html', 'p/b.html']})
  })

  it('are written again where one is missing', async () => {
    const {again, at} = await written('missing')
    rmSync(at('p/a.html'))
    expect((await again()).isKept).toBe(false)
    expect(readFileSync(at('p/a.html'), 'utf8')).toBe('<p>p/a.html</p>')
    rmSync(at('p/a.html'))
    writeFileSync(at('p/a.html'), '<p>p/x.html</p>')
    await expect(again()).rejects.toMatchObject({code: 'output-refused'})
  })
})
