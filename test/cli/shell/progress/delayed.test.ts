import {afterEach, beforeEach, describe, expect, it, jest} from '@jest/globals'
import {Delayed} from '../../../../src/cli/shell/progress/delayed.js'

describe('Delayed', () => {
  let now = 0
  let shown = 0
  const late = () =>
    new Delayed(
      1000,
      () => (shown += 1),
      () => now,
    )

  beforeEach(() => {
    jest.useFakeTimers()
    ;[now, shown] = [0, 0]
  })

  afterEach(() => {
    jest.useRealTimers()
  })

  it('shows after the delay what began before it', () => {
    late().event()
    jest.advanceTimersByTime(999)
    expect(shown).toBe(0)
    jest.advanceTimersByTime(1)
    expect(shown).toBe(1)
  })

  it('shows by an event where the thread is too busy for timers, once for each delay', () => {
    const each = late()
    for (now = 0; now < 3500; now += 100) each.event()
    expect(shown).toBe(3)
  })

  it('shows nothing once it is stopped, until the delay after the next event', () => {
    const each = late()
    each.event()
    each.stop()
    jest.advanceTimersByTime(5000)
    expect(shown).toBe(0)
    now = 5000
    each.event()
    jest.advanceTimersByTime(1000)
    expect(shown).toBe(1)
  })
})
