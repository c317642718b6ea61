import {beforeEach, describe, expect, it} from '@jest/globals'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {runProgram} from './run-program.js'
import {temporaryFolder} from './temporary-folder.js'

const LOADER = join(import.meta.dirname, '../bin/load-bundle.js')
const START = `require(${JSON.stringify(LOADER)}).loadBundle(process.argv[1]).main()`
const root = temporaryFolder()
const bundle = join(root, 'package/bundle.cjs')
const home = join(root, 'cache')
const caches = join(home, 'kubectl-crossplane-code')

/** Writes a bundle that prints a letter: all have the same length, which is what V8 compares. */
function writeBundle(letter: string, hash = letter.charCodeAt(0).toString(16)): void {
  mkdirSync(join(bundle, '..'), {recursive: true})
  const code = `const print = () => console.log('${letter}')\nmodule.exports = {main: print}\n`
  writeFileSync(bundle, `// ${hash.padEnd(64, '0')}\n${code}`)
}

/** The same as a program that contains the text of its bundle. */
const START_TEXT = `const text = require('node:fs').readFileSync(process.argv[1], 'latin1')
require(${JSON.stringify(LOADER)}).loadText({path: process.execPath, text}).main()`

async function start(cache = home, code = START, ...argv: readonly string[]): Promise<string> {
  const {status, stdout, stderr} = await runProgram(process.execPath, ['-e', code, bundle, ...argv], {
    env: {XDG_CACHE_HOME: cache},
  })
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  return stdout.trim()
}

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
    expect(await start(home, START_TEXT)).toBe('b')
    writeBundle('a', 'a')
    expect(await start(home, START_TEXT)).toBe('b')
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

  it('is named by the hash of its bundle', async () => {
    await start()
    writeBundle('b')
    expect(await start()).toBe('b')
    expect(readdirSync(caches)).toHaveLength(2)
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
    for (const letter of 'abcdef') {
      writeBundle(letter)
      await start()
    }
    expect(readdirSync(caches)).toHaveLength(4)
  })
})
