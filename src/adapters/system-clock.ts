import {setTimeout} from 'node:timers/promises'
import type {Clock} from '../http/clock.js'

/** The time and randomness of the local machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, {signal}).catch(() => undefined),
  random: () => Math.random(),
}
