import * as fs from 'node:fs/promises'
import {cacheFolder} from '../../src/adapters/cache-folder.js'
import type {CacheFileSystem} from '../../src/adapters/cache-files.js'
import {packageCache} from '../../src/cache/package-cache.js'
import {pruneCache} from '../../src/cache/prune-cache.js'
import {random, shuffled} from '../shuffled.js'
import {isPackage, manyPackages} from './many-packages.js'

/**
 * A process that uses a cache as pulls do, in an order that its seed decides: what it does not find it keeps. It is killed
 * when it is about to make the call of a number, or in the middle of it. Exits with 1 for a package that has changed.
 */
const [root = '', role, seed, fatal] = process.argv.slice(2)
const clock = {now: () => Date.now()}
const DAY = 86_400_000

const counts = {found: 0, kept: 0, wrong: 0}

if (role === 'prune') {
  for (let round = 0; round < 10; round += 1)
    await pruneCache(cacheFolder(root), {now: Date.now(), unusedFor: DAY, dryRun: false})
} else {
  const cache = packageCache(cacheFolder(root, mortal(Number(fatal), Number(seed))), {
    clock,
    warn: ({message}) => process.stderr.write(`${message}\n`),
  })
  for (const round of [0, 1]) {
    for (const requested of shuffled(manyPackages(), Number(seed) + round)) {
      const found = await cache.find(requested.digest, requested.platform)
      if (found === undefined) await cache.keep(requested)
      if (found === undefined) counts.kept += 1
      else if (isPackage(found, requested)) counts.found += 1
      else counts.wrong += 1
    }
  }
}
process.stdout.write(JSON.stringify(counts))
process.exitCode = counts.wrong === 0 ? 0 : 1

/** The real file system; it dies before its fatal call, or after half of what that was to write. */
function mortal(fatalCall: number, chance: number): CacheFileSystem {
  let calls = 0
  const isTorn = random(chance)() < 0.5
  const die = () => process.kill(process.pid, 'SIGKILL')
  const counted =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls += 1
      if (calls === fatalCall) die()
      return call(...args)
    }
  const open = async (...args: Parameters<typeof fs.open>) => {
    const handle = await fs.open(...args)
    const writeFile = handle.writeFile.bind(handle)
    handle.writeFile = async (data, options) => {
      calls += 1
      if (calls === fatalCall && isTorn)
        await handle.write(data as Uint8Array, 0, Math.floor((data as Uint8Array).length / 2))
      if (calls === fatalCall) die()
      await writeFile(data, options)
    }
    return handle
  }
  return {
    ...fs,
    mkdir: counted(fs.mkdir) as typeof fs.mkdir,
    lutimes: counted(fs.lutimes),
    rename: counted(fs.rename),
    unlink: counted(fs.unlink),
    open: counted(open),
  }
}
