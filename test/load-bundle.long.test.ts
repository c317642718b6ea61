import {beforeEach, describe, expect, it} from '@jest/globals'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {runProgram} from './run-program.js'
import {temporaryFolder} from './temporary-folder.js'

const LOADER = join(import.meta.dirname, '../bin/load-bundle.js')
const START = `require(${JSON.stringify(LOADER)}).loadBundle(process.argv[1]).main(process.argv.slice(2))`
const root = temporaryFolder()
const bundle = join(root, 'package/bundle.cjs')
const home = join(root, 'cache')
const caches = join(home, 'kubectl-crossplane-code')

/** Writes a bundle of parts, whose hashes are those of others on request. */
function writeParts(texts: readonly string[], hashes: readonly string[]): void {
  mkdirSync(join(bundle, '..'), {recursive: true})
  const index = texts.map((text, part) => ({
    hash: hashes[part],
    length: text.length,
    lines: text.split('\n').length,
  }))
  writeFileSync(bundle, `// ${JSON.stringify(index)}\nmodule.exports = link(\n${texts.join(',\n')}\n)\n`)
}

/**
 * Writes a bundle that prints a letter, with `later` from a part of its own, and with `trace` that part's stack trace. All
 * have the same length, which is what V8 compares.
 */
function writeBundle(letter: string, hash = letter): void {
  const first = `((require, part) => ({
  main([word]) {
    if (word === 'removed') require('node:fs').unlinkSync(process.argv[1])
    console.log(['later', 'removed', 'trace'].includes(word) ? part(1)(word) : '${letter}')
  }
}))`
  const later = `(word => {
  const later = () => word === 'trace' ? new Error().stack : '${letter.toUpperCase()}'
  return later()
})`
  writeParts([first, later], [`${hash}1`, `${hash}2`])
}

/** The same as a program that contains its bundle. */
const START_CONTAINED = `const bundle = require('node:fs').readFileSync(process.argv[1])
require(${JSON.stringify(LOADER)}).loadContained({path: process.execPath, bundle, ownCache: () => undefined}).main([])`

async function start(cache = home, code = START, ...argv: readonly string[]): Promise<string> {
  const {status, stdout, stderr} = await runProgram(process.execPath, ['-e', code, bundle, ...argv], {
    env: {XDG_CACHE_HOME: cache},
  })
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  return stdout.trim()
}

const partsOf = (folder: string) => readdirSync(folder).map(name => name.split('-')[0])
const cacheFile = () => join(caches, readdirSync(caches)[0] ?? '')
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Leaves a valid cache of a bundle that prints b, under the name of the one that prints a. */
async function poison(): Promise<void> {
  writeBundle('b', 'a')
  await start()
  writeBundle('a', 'a')
}

beforeEach(() => {
  rmSync(root, {recursive: true, force: true})
  mkdirSync(home, {recursive: true})
  writeBundle('a')
})

describe('the code cache', () => {
  it('is not written for a part that was compiled while a command had changed flags of V8', async () => {
    const first = `((require, part) => ({
  main([word]) {
    const {setFlagsFromString} = require('node:v8')
    setFlagsFromString('--semi-space-growth-factor=1')
    part(1)(word)
    if (word === 'reset') setFlagsFromString('--semi-space-growth-factor=2')
  }
}))`
    writeParts([first, '(word => console.log(word))'], ['first', 'later'])
    await start(home, START, 'reset')
    expect(partsOf(caches)).toEqual(['first'])
    await start(home, START, 'kept')
    expect(partsOf(caches).sort()).toEqual(['first', 'later'])
  })

  it('is written by the first run, for this user only, and stays', async () => {
    expect(await start()).toBe('a')
    expect([mode(caches), mode(cacheFile())]).toEqual(['700', '600'])
    const {ino} = statSync(cacheFile())
    expect(await start()).toBe('a')
    expect(statSync(cacheFile()).ino).toBe(ino)
  })

  it('is used', async () => {
    await poison()
    expect(await start()).toBe('b')
  })

  it('is used by a program that contains its bundle', async () => {
    writeBundle('b', 'a')
    expect(await start(home, START_CONTAINED)).toBe('b')
    writeBundle('a', 'a')
    expect(await start(home, START_CONTAINED)).toBe('b')
  })

  it.each(['version', '--version', '__complete'])(
    'is not written by %s, but is used by it',
    async command => {
      expect(await start(home, START, command)).toBe('a')
      expect(existsSync(caches)).toBe(false)
      await poison()
      expect(await start(home, START, command)).toBe('b')
    },
  )

  it('is named by the hash of its part', async () => {
    await start()
    writeBundle('b')
    expect(await start()).toBe('b')
    expect(readdirSync(caches)).toEqual([
      expect.stringMatching(/^a1-[0-9a-f]+\.code-cache$/),
      expect.stringMatching(/^b1-[0-9a-f]+\.code-cache$/),
    ])
  })

  it('is written and used for each part by the runs that import it', async () => {
    expect(await start()).toBe('a')
    expect(partsOf(caches)).toEqual(['a1'])
    expect(await start(home, START, 'later')).toBe('A')
    expect(partsOf(caches)).toEqual(['a1', 'a2'])
    rmSync(caches, {recursive: true})
    writeBundle('b', 'a')
    await start(home, START, 'later')
    writeBundle('a', 'a')
    expect(await start(home, START, 'later')).toBe('B')
  })

  it('keeps the lines of the bundle in stack traces', async () => {
    const lines = readFileSync(bundle, 'utf8').split('\n')
    const line = lines.findIndex(text => text.includes('new Error')) + 1
    const stack = expect.stringMatching(new RegExp(`at later \\(.*bundle\\.cjs:${line}:`))
    expect(await start(home, START, 'trace')).toEqual(stack)
    expect(partsOf(caches)).toEqual(['a1', 'a2'])
    expect(await start(home, START, 'trace')).toEqual(stack)
  })

  it.each(['', 'no code', '\0'.repeat(5000)])('is written again if V8 rejects it', async text => {
    await start()
    const {size} = statSync(cacheFile())
    writeFileSync(cacheFile(), text)
    expect(await start()).toBe('a')
    expect(statSync(cacheFile()).size).toBe(size)
  })

  it.each<{name: string; change: () => void}>([
    {name: 'a folder that others can read', change: () => chmodSync(caches, 0o755)},
    {name: 'a file that others can write', change: () => chmodSync(cacheFile(), 0o622)},
    {
      name: 'a folder that is a link',
      change: () => {
        renameSync(caches, join(root, 'elsewhere'))
        symlinkSync(join(root, 'elsewhere'), caches)
      },
    },
    {
      name: 'a file that is a link',
      change: () => {
        const file = cacheFile()
        renameSync(file, join(root, 'elsewhere'))
        symlinkSync(join(root, 'elsewhere'), file)
      },
    },
    {
      name: 'a file with a second name',
      change: () => linkSync(cacheFile(), join(root, 'elsewhere')),
    },
  ])('is not read from $name', async ({change}) => {
    await poison()
    change()
    expect(await start()).toBe('a')
  })

  it('is read from beside the bundle first', async () => {
    await poison()
    cpSync(caches, join(bundle, '..'), {recursive: true})
    rmSync(caches, {recursive: true})
    expect(await start()).toBe('b')
    expect(existsSync(caches)).toBe(false)
  })

  it('is of the bundle that was opened, also if that is removed then', async () => {
    await start(home, START, 'later')
    expect(await start(home, START, 'removed')).toBe('A')
    expect(existsSync(bundle)).toBe(false)
  })

  it('is not needed', async () => {
    writeFileSync(caches, 'a file where the folder would be')
    expect(await start()).toBe('a')
    rmSync(home, {recursive: true})
    writeFileSync(home, '')
    expect(await start()).toBe('a')
  })

  it('is not needed where no folder can be created', async () => {
    expect(await start('/proc/none')).toBe('a')
  })

  it('is not written below a folder that everyone can write', async () => {
    chmodSync(home, 0o777)
    expect(await start()).toBe('a')
    expect(readdirSync(home)).toEqual([])
  })

  it('has few versions', async () => {
    await start()
    for (let age = 1; age <= 20; age++) {
      const path = join(caches, `old-${age}`)
      writeFileSync(path, '')
      utimesSync(path, age, age)
    }
    writeBundle('b')
    await start()
    expect(partsOf(caches)).toHaveLength(20)
    expect(readdirSync(caches).filter(name => name.startsWith('old-'))).not.toContain('old-2')
    expect(partsOf(caches)).toEqual(expect.arrayContaining(['a1', 'b1']))
  })
})
