import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import {afterEach, beforeEach, describe, expect, it} from '@jest/globals'
import {type FileSystem, realFileSystem} from '../../src/adapters/file-system.js'
import {takeLock} from '../../src/adapters/folder-lock.js'
import {formatHolder, type LockHolder, thisProcess} from '../../src/adapters/lock-holder.js'
import {missingPidNamespaces, PID_NAMESPACE} from '../pid-namespace.js'
import {describeReal} from '../real-parts.js'

let area: string
let path: string
let self: LockHolder

beforeEach(async () => {
  area = join(await mkdtemp(join(tmpdir(), 'folder-lock-')), 'area')
  path = join(area, 'lock')
  self = await thisProcess()
})

afterEach(() => rm(join(area, '..'), {recursive: true}))

const lease = {renewEvery: 60_000, expiresAfter: 30, sleep: () => Promise.resolve()}
const lockOf = () => takeLock(realFileSystem, path, self, lease)
const take = async () => (await lockOf()).release

/** Makes the lock in place look as if it was renewed a minute ago. */
async function age(): Promise<void> {
  const [token = ''] = await readdir(path)
  const then = new Date(Date.now() - 60_000)
  await utimes(join(path, token), then, then)
}

async function leaveLock(text: string): Promise<void> {
  await mkdir(path, {recursive: true})
  await writeFile(join(path, 'token'), text)
}

describe('takeLock', () => {
  it('gives the lock to one process at a time, and leaves nothing behind', async () => {
    const unlock = await take()
    await expect(take()).rejects.toMatchObject({code: 'output-refused'})
    await unlock()
    await (
      await take()
    )()
    expect(await readdir(join(area, '..'))).toEqual([])
  })

  it('names the process that holds it, and takes over once that is killed', async () => {
    const other = spawn('sleep', ['60'])
    await leaveLock(formatHolder({...self, pid: other.pid ?? 0, started: undefined}))
    const refusal = await take().catch((error: unknown) => error)
    expect(refusal).toMatchObject({code: 'output-refused'})
    expect(String(refusal)).toContain(`process ${String(other.pid)} on ${self.host}`)
    other.kill('SIGKILL')
    await once(other, 'exit')
    await (
      await take()
    )()
    expect(await readdir(join(area, '..'))).toEqual([])
  })

  it.each([
    {name: 'empty', text: ''},
    {name: 'of another program', text: '12345\n'},
  ])('does not take over a lock that is $name', async ({text}) => {
    await leaveLock(text)
    await expect(take()).rejects.toMatchObject({code: 'output-refused'})
    expect(await readdir(path)).toEqual(['token'])
  })

  it('does not take over a file', async () => {
    await mkdir(area)
    await writeFile(path, '')
    await expect(take()).rejects.toMatchObject({code: 'output-refused'})
  })

  it('deletes files of processes that died while taking or releasing the lock', async () => {
    await mkdir(path, {recursive: true})
    await mkdir(`${path}.1-a`)
    await mkdir(`${path}.1-b`)
    await writeFile(join(`${path}.1-b`, '1-b'), '{')
    await (
      await take()
    )()
    expect(await readdir(join(area, '..'))).toEqual([])
  })

  it('deletes the time probe of a process that died, or is still waiting', async () => {
    await mkdir(area, {recursive: true})
    await writeFile(`${path}.0123456789abcdef`, '')
    const unlock = await take()
    expect(await readdir(area)).toEqual([basename(path)])
    await unlock()
  })

  it('does not take a lock from a process that took over a stale one first', async () => {
    await leaveLock(formatHolder({...self, started: '1'}))
    const slow = pausedAfterReading()
    const loser = takeLock(slow.files, path, self, lease).catch((error: unknown) => error)
    await slow.hasRead
    const unlock = await take()
    const ours = await readdir(path)
    slow.resume()
    expect(await loser).toMatchObject({code: 'output-refused'})
    expect(await readdir(path)).toEqual(ours)
    await unlock()
    expect(await readdir(join(area, '..'))).toEqual([])
  })

  it('does not hold a lock that was emptied before it was in place', async () => {
    let emptied = 0
    const files: FileSystem = {
      ...realFileSystem,
      rename: async (from, to) => {
        if (emptied++ === 0) for (const name of await readdir(from)) await rm(join(String(from), name))
        await realFileSystem.rename(from, to)
      },
    }
    const unlock = (await takeLock(files, path, self, lease)).release
    expect({emptied, held: (await readdir(path)).length}).toEqual({emptied: 2, held: 1})
    await unlock()
  })

  it('gives a stale lock to one of many processes', async () => {
    let holding = 0
    let most = 0
    let taken = 0
    for (let round = 0; round < 20; round += 1) {
      await leaveLock(formatHolder({...self, started: '1'}))
      const outcomes = await Promise.allSettled(
        Array.from({length: 10}, async () => {
          const unlock = await take()
          taken += 1
          most = Math.max(most, ++holding)
          await readdir(area)
          holding -= 1
          await unlock()
        }),
      )
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({code: 'output-refused'})
      }
    }
    expect({most, everyRoundHadOne: taken >= 20}).toEqual({most: 1, everyRoundHadOne: true})
  })
})

/** A process that cannot be observed from here. */
const elsewhere = () => formatHolder({...self, pidSpace: 'pid:[1]', lease: 30})

describe('the lease of a lock', () => {
  it('protects a process that cannot be observed, as long as it is renewed', async () => {
    await leaveLock(elsewhere())
    const refusal = await take().catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'output-refused',
      suggestions: [expect.stringContaining('30 seconds')],
    })
    expect(await readdir(path)).toEqual(['token'])
    expect(await readdir(area)).toEqual(['lock'])
  })

  it('expires without a renewal', async () => {
    await leaveLock(elsewhere())
    await age()
    await (
      await take()
    )()
    expect(await readdir(join(area, '..'))).toEqual([])
  })

  it('does not expire if the holder renews it shortly after, such as after a suspend', async () => {
    await leaveLock(elsewhere())
    await age()
    const sleep = () => writeFile(join(path, 'token'), elsewhere())
    await expect(takeLock(realFileSystem, path, self, {...lease, sleep})).rejects.toMatchObject({
      code: 'output-refused',
    })
  })

  it('does not expire for the lock of an older release, which renews nothing', async () => {
    await leaveLock(formatHolder({...self, pidSpace: 'pid:[1]'}))
    await age()
    await expect(take()).rejects.toMatchObject({
      code: 'output-refused',
      suggestions: [expect.stringContaining(`rm -r ${path}`)],
    })
  })

  it('is renewed while the lock is held', async () => {
    const lock = await takeLock(realFileSystem, path, self, {...lease, renewEvery: 5})
    await age()
    const [token = ''] = await readdir(path)
    const renewed = async () => (await stat(join(path, token))).mtimeMs > Date.now() - 50_000
    while (!(await renewed())) await new Promise(resolve => setTimeout(resolve, 5))
    await lock.release()
    expect(await readdir(join(area, '..'))).toEqual([])
  })

  it('is checked by its holder, which may have been suspended for too long', async () => {
    const lock = await lockOf()
    await lock.expectHeld()
    await rm(path, {recursive: true})
    await (
      await take()
    )()
    await expect(lock.expectHeld()).rejects.toMatchObject({code: 'output-refused'})
    await lock.release()
  })
})

describeReal('a lock in another PID namespace', missingPidNamespaces(), () => {
  it('is held while its process lives, and taken over some time after the process was killed', async () => {
    await mkdir(area)
    const holder = {...self, pid: 1, pidSpace: undefined, lease: 30}
    const script = `
      const fs = require('node:fs')
      fs.mkdirSync(process.argv[1])
      const holder = {...JSON.parse(process.argv[2]), pid: process.pid, pidSpace: fs.readlinkSync('/proc/self/ns/pid')}
      fs.writeFileSync(process.argv[1] + '/token', JSON.stringify(holder) + '\\n')
      console.log('locked')
      setInterval(() => undefined, 1000)`
    const child = spawn('unshare', [
      ...PID_NAMESPACE,
      process.execPath,
      '-e',
      script,
      path,
      JSON.stringify(holder),
    ])
    await once(child.stdout, 'data')
    await expect(take()).rejects.toMatchObject({code: 'output-refused'})
    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect(take()).rejects.toMatchObject({code: 'output-refused'})
    await age()
    await (
      await take()
    )()
    expect(await readdir(join(area, '..'))).toEqual([])
  })
})

/** A file system that, once it has read a file to its end, resolves `hasRead` and waits. */
function pausedAfterReading() {
  let resume: () => void = () => undefined
  let tell: () => void = () => undefined
  const paused = new Promise<void>(resolve => (resume = resolve))
  const hasRead = new Promise<void>(resolve => (tell = resolve))
  const files: FileSystem = {
    ...realFileSystem,
    open: async (...args) => {
      const handle = await realFileSystem.open(...args)
      const close = handle.close.bind(handle)
      handle.close = async () => {
        await close()
        tell()
        await paused
      }
      return handle
    },
  }
  return {files, hasRead, resume}
}
