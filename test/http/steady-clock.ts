import type {Clock} from '../../src/http/clock.js'

/** A clock without real waits: sleeping advances it, and is recorded. */
export function steadyClock(step = 0): Clock & {readonly slept: number[]} {
  let now = Date.UTC(2026, 0, 1)
  const tick = () => (now += step)
  const slept: number[] = []
  return {
    slept,
    now: tick,
    elapsed: tick,
    sleep: milliseconds => {
      slept.push(milliseconds)
      now += milliseconds
      return Promise.resolve()
    },
    random: () => 0.5,
  } satisfies Clock & {slept: number[]}
}
