import {setTimeout} from 'node:timers/promises'
import type {Clock} from '../http/clock.js'

/** The time and chance of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: milliseconds => setTimeout(milliseconds),
  random: () => Math.random(),
}
