import {describe, expect, it} from '@jest/globals'
import {getEventListeners} from 'node:events'
import {systemClock} from '../../src/adapters/system-clock.js'

const HOUR = 3_600_000

describe('the clock of the machine', () => {
  it('sleeps for that time', async () => {
    const start = systemClock.elapsed()
    await systemClock.sleep(30)
    // Timers of Node.js end up to a millisecond early.
    expect(systemClock.elapsed() - start).toBeGreaterThanOrEqual(29)
  })

  it.each([
    {name: 'before', abort: (stop: AbortController) => stop.abort()},
    {name: 'meanwhile', abort: (stop: AbortController) => setTimeout(() => stop.abort(), 5)},
  ])('ends a sleep early whose signal was aborted $name', async ({abort}) => {
    const stop = new AbortController()
    abort(stop)
    await systemClock.sleep(HOUR, stop.signal)
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  it('leaves nothing with a signal after a sleep', async () => {
    const stop = new AbortController()
    const ended = systemClock.sleep(1, stop.signal)
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1)
    await ended
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })
})
