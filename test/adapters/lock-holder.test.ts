import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import {hostname} from 'node:os'
import {describe, expect, it} from '@jest/globals'
import {
  formatHolder,
  isGone,
  type LockHolder,
  parseHolder,
  thisProcess,
} from '../../src/adapters/lock-holder.js'
import {describeReal} from '../real-parts.js'

const NOBODY = spawnSync('true').pid

describe('isGone', () => {
  const cases: readonly {
    readonly name: string
    readonly reason: string
    readonly in: (self: LockHolder) => LockHolder
    readonly want: boolean
  }[] = [
    {name: 'this process', reason: 'it is running', in: self => self, want: false},
    {
      name: 'a process that ended',
      reason: 'no process has its ID',
      in: self => ({...self, pid: NOBODY}),
      want: true,
    },
    {
      name: 'a process on another machine',
      reason: 'it cannot be observed from here',
      in: self => ({...self, pid: NOBODY, host: `not-${self.host}`, boot: 'another'}),
      want: false,
    },
    {
      name: 'a process in another container',
      reason: 'its ID belongs to another namespace',
      in: self => ({...self, pid: NOBODY, pidSpace: 'pid:[1]'}),
      want: false,
    },
    {
      name: 'a process on a system that only provides the ID',
      reason: 'a process has that ID',
      in: ({pid, host, since}) => ({pid, host, since}),
      want: false,
    },
  ]

  it.each(cases)('$name: $want, for $reason', async ({in: holder, want}) => {
    const self = {...(await thisProcess()), pidSpace: undefined}
    expect(await isGone(holder(self), self)).toBe(want)
  })
})

describeReal('isGone with details from /proc', existsSync('/proc/self/stat') ? undefined : 'no /proc', () => {
  it('recognizes a process that reused the ID of the holder', async () => {
    const self = await thisProcess()
    expect(await isGone({...self, started: '1'}, self)).toBe(true)
  })

  it('recognizes that the machine was restarted', async () => {
    const self = await thisProcess()
    expect(await isGone({...self, boot: 'another'}, self)).toBe(true)
  })

  it('recognizes a zombie process', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'])
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const self = await thisProcess()
    const holder = {
      pid: Number(String(line)),
      host: self.host,
      since: self.since,
      boot: self.boot,
      pidSpace: self.pidSpace,
    }
    try {
      await expect(waitFor(() => isGone(holder, self))).resolves.toBe(true)
      expect(process.kill(holder.pid, 0)).toBe(true)
    } finally {
      parent.kill()
    }
  })
})

describe('parseHolder', () => {
  it('reads the text that was written', async () => {
    const self = await thisProcess()
    expect(self).toMatchObject({pid: process.pid, host: hostname()})
    expect(parseHolder(formatHolder(self))).toEqual(self)
  })

  const valid = {pid: 7, host: 'h', since: '2001-02-03T04:05:06.789Z'}
  it.each([
    {name: 'nothing', in: ''},
    {name: 'null', in: 'null'},
    {name: 'a list', in: '[7]'},
    {name: 'no process', in: JSON.stringify({...valid, pid: undefined})},
    {name: 'all processes of a group', in: JSON.stringify({...valid, pid: 0})},
    {name: 'all processes', in: JSON.stringify({...valid, pid: -1})},
    {name: 'half a process', in: JSON.stringify({...valid, pid: 1.5})},
    {name: 'no host', in: JSON.stringify({...valid, host: undefined})},
    {name: 'a host with an escape sequence', in: JSON.stringify({...valid, host: '\u001b[31m'})},
  ])('rejects $name', ({in: text}) => {
    expect(parseHolder(text)).toBeUndefined()
  })
})

/** Polls for up to five seconds. */
async function waitFor(ask: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await ask()) return true
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return false
}
