import type {Clock} from '../../src/http/clock.js'

/** A clock that stands still until it is told to go on. */
export interface ManualClock extends Clock {
  /** Lets time pass, and wakes all that slept until then, in the order of their times. */
  pass(milliseconds: number): Promise<void>
  /** How long each sleeper waits from now on. */
  readonly sleeping: readonly number[]
}

export function manualClock(random = 0.5): ManualClock {
  const start = Date.UTC(2026, 0, 1)
  let now = 0
  const sleepers = new Map<() => void, number>()
  return {
    now: () => start + now,
    elapsed: () => now,
    random: () => random,
    get sleeping() {
      return [...sleepers.values()].map(due => due - now).sort((a, b) => a - b)
    },
    sleep: (milliseconds, signal) =>
      new Promise(resolve => {
        const wake = () => {
          sleepers.delete(wake)
          resolve()
        }
        if (signal?.aborted === true) return resolve()
        sleepers.set(wake, now + milliseconds)
        return signal?.addEventListener('abort', wake, {once: true})
      }),
    async pass(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        const next = [...sleepers].filter(([, due]) => due <= end).sort(([, a], [, b]) => a - b)[0]
        if (next === undefined) break
        now = Math.max(now, next[1])
        next[0]()
        await settled()
      }
      now = end
      await settled()
    },
  }
}

/** Resolves when all that can go on without time has done so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
}
