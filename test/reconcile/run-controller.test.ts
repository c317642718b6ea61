import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../src/errors.js'
import type {LogEntry} from '../../src/reconcile/log.js'
import {type Outcome, runController} from '../../src/reconcile/run-controller.js'
import {workQueue} from '../../src/reconcile/work-queue.js'
import {manualClock, settled} from './manual-clock.js'

/** Runs a controller with passes that end as told, and records them. */
function started(reconcile: (key: string, pass: number) => Promise<Outcome>, workers = 2) {
  const clock = manualClock(1)
  const queue = workQueue(clock)
  const passes: string[] = []
  const log: LogEntry[] = []
  const counted: unknown[] = []
  const metrics = {
    reconciled: (...args: unknown[]) => counted.push(args),
    queued: () => undefined,
  }
  const stop = new AbortController()
  const controller = {
    name: 'test',
    queue,
    workers,
    reconcile: (key: string) => {
      passes.push(`${key}@${clock.elapsed()}`)
      return reconcile(key, passes.length)
    },
  }
  const ended = runController(controller, {clock, log: entry => log.push(entry), metrics}, stop.signal)
  return {clock, queue, passes, log, counted, stop, ended}
}

describe('a controller', () => {
  it('repeats a pass after the time that it names', async () => {
    const {clock, queue, passes, stop, ended} = started(() =>
      Promise.resolve({result: 'success', again: 60_000}),
    )
    queue.add('a')
    await settled()
    await clock.pass(120_000)
    stop.abort()
    await ended
    expect(passes).toEqual(['a@0', 'a@60000', 'a@120000'])
  })

  it('waits longer after each error in a row, and begins again after a success', async () => {
    const outcomes = ['error', 'error', 'success', 'error', 'success'] as const
    const {clock, queue, passes, counted, stop, ended} = started((_key, pass) =>
      Promise.resolve({result: outcomes[pass - 1] ?? 'success', ...(pass === 3 ? {again: 10_000} : {})}),
    )
    queue.add('a')
    await settled()
    await clock.pass(100_000)
    stop.abort()
    await ended
    expect(passes).toEqual(['a@0', 'a@1000', 'a@3000', 'a@13000', 'a@14000'])
    expect(counted).toEqual(outcomes.map(result => ['test', result, 0]))
  })

  it('logs what a pass throws, and continues with other keys', async () => {
    const {queue, passes, log, stop, ended} = started(key =>
      key === 'bad'
        ? Promise.reject(new CrossplaneError('cluster-failed', 'cannot read it'))
        : Promise.resolve({result: 'success'}),
    )
    queue.add('bad')
    queue.add('good')
    await settled()
    stop.abort()
    await ended
    expect(passes).toEqual(['bad@0', 'good@0'])
    expect(log).toEqual([
      {level: 'error', message: 'cannot read it', fields: {controller: 'test', object: 'bad'}},
    ])
  })

  it('completes the pass that it is in when it is stopped, and begins no other', async () => {
    let finish = (): void => undefined
    const {queue, passes, counted, stop, ended} = started(
      () => new Promise(resolve => (finish = () => resolve({result: 'success', again: 1}))),
      1,
    )
    queue.add('a')
    queue.add('b')
    await settled()
    stop.abort()
    await settled()
    const before = counted.length
    finish()
    await ended
    expect({passes, before, after: counted.length}).toEqual({passes: ['a@0'], before: 0, after: 1})
  })
})
