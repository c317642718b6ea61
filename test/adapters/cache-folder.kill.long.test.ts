import {mkdtempSync} from 'node:fs'
import * as fs from 'node:fs/promises'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, it} from '@jest/globals'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import {listCache} from '../../src/cache/list-cache.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {pruneCache} from '../../src/cache/prune-cache.js'
import type {Diagnostic} from '../../src/diagnostic.js'
import {isPackage, manyPackages} from '../cache/many-packages.js'
import {listed} from '../cache/cache-store-contract.js'
import {type CompiledScript, compileForChild} from '../compile-for-child.js'
import {present} from '../outcome.js'
import {type ProgramResult, runProgram} from '../run-program.js'
import {random, SEED} from '../shuffled.js'
import {temporaryFolder} from '../temporary-folder.js'

const all = temporaryFolder()
const PACKAGES = manyPackages()
const HOUR = 3_600_000

let script: CompiledScript
beforeAll(async () => {
  script = await compileForChild('test/cache/cache-worker.ts')
})
afterAll(() => script.remove())

function run(root: string, role: 'pull' | 'prune', seed: number, fatal = Infinity): Promise<ProgramResult> {
  return runProgram(process.execPath, [script.path, root, role, String(seed), String(fatal)])
}

function cacheIn(root: string) {
  const warnings: Diagnostic[] = []
  const options = {clock: {now: () => Date.now()}, warn: (warning: Diagnostic) => warnings.push(warning)}
  return {cache: packageCache(cacheFolder(root), options), warnings}
}

/** How many entries the cache lists, and those that are not what was kept. */
async function verified(root: string) {
  const {cache, warnings} = cacheIn(root)
  const broken: string[] = []
  const entries = await listCache(cacheFolder(root))
  for (const {digest} of entries) {
    const requested = present(PACKAGES.find(each => each.digest === digest))
    const found = await cache.find(digest, requested.platform)
    if (found === undefined || !isPackage(found, requested)) broken.push(digest)
  }
  return {entries: entries.length, broken, warnings}
}

/** As if everything had been unused for that long. */
async function age(root: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds)
  for (const {name} of await listed(cacheFolder(root), '')) await fs.utimes(join(root, name), then, then)
}

const ended = ({status, signal, stderr}: ProgramResult) => ({status, signal, stderr})
const WELL = {status: 0, signal: null, stderr: ''}

describe(`twenty processes with the same fifty packages (SEED=${SEED})`, () => {
  it('some killed: every entry verifies, and every remaining process succeeds', async () => {
    const root = join(mkdtempSync(join(all, 'killed-')), 'cache')
    const chance = random(SEED)
    const fatal = Array.from({length: 20}, (_, index) =>
      index < 8 ? 1 + Math.floor(chance() * 300) : Infinity,
    )
    const results = await Promise.all(fatal.map((call, index) => run(root, 'pull', SEED + index, call)))
    expect(results.slice(0, 8).map(({signal}) => signal)).toEqual(Array(8).fill('SIGKILL'))
    expect(results.slice(8).map(ended)).toEqual(Array(12).fill(WELL))
    expect(await verified(root)).toEqual({entries: 50, broken: [], warnings: []})
  })

  it('all killed: stored entries verify, the next pull completes them, and pruning removes leftovers', async () => {
    const root = join(mkdtempSync(join(all, 'all-killed-')), 'cache')
    const chance = random(SEED + 1)
    const fatal = Array.from({length: 20}, () => 1 + Math.floor(chance() * 300))
    for (let at = 0; at < fatal.length; at += 5)
      await Promise.all(
        fatal.slice(at, at + 5).map((call, index) => run(root, 'pull', SEED + at + index, call)),
      )
    expect(await verified(root)).toMatchObject({broken: [], warnings: []})
    expect(ended(await run(root, 'pull', SEED))).toEqual(WELL)
    expect(await verified(root)).toEqual({entries: 50, broken: [], warnings: []})

    const store = cacheFolder(root)
    await age(root, 2 * HOUR)
    await pruneCache(store, {now: Date.now(), unusedFor: 24 * HOUR, dryRun: false})
    expect(await listed(store, 'unfinished/')).toEqual([])
    expect(await verified(root)).toEqual({entries: 50, broken: [], warnings: []})
  })

  it('some pruning unused packages: no kept or concurrently found package is left broken', async () => {
    const root = join(mkdtempSync(join(all, 'pruned-')), 'cache')
    expect(ended(await run(root, 'pull', SEED))).toEqual(WELL)
    await age(root, 48 * HOUR)
    const results = await Promise.all(
      Array.from({length: 12}, (_, index) => run(root, index % 3 === 0 ? 'prune' : 'pull', SEED + index)),
    )
    expect(results.map(({status, signal}) => ({status, signal}))).toEqual(
      Array(12).fill({status: 0, signal: null}),
    )
    expect(await verified(root)).toEqual({entries: 50, broken: [], warnings: []})
  })

  it('all repair a cache that was damaged before', async () => {
    const root = join(mkdtempSync(join(all, 'damaged-')), 'cache')
    expect(ended(await run(root, 'pull', SEED))).toEqual(WELL)
    const chance = random(SEED + 2)
    for (const {name, size} of await listed(cacheFolder(root), 'v1/'))
      if (chance() < 0.3) await fs.truncate(join(root, name), Math.floor(size * chance()))
    const results = await Promise.all(Array.from({length: 6}, (_, index) => run(root, 'pull', SEED + index)))
    expect(results.map(({status, signal}) => ({status, signal}))).toEqual(
      Array(6).fill({status: 0, signal: null}),
    )
    expect(ended(await run(root, 'pull', SEED))).toMatchObject({status: 0})
    expect(await verified(root)).toEqual({entries: 50, broken: [], warnings: []})
  })
})
