const SECOND = 1000

/** The waits after failures, in milliseconds. */
export interface BackOff {
  readonly first: number
  readonly longest: number
}

/** From a second to five minutes. */
const BACK_OFF: BackOff = {first: SECOND, longest: 300 * SECOND}

/**
 * Returns the milliseconds to wait after a number of failures in a row: twice as long each time, up to the longest, and
 * between half and all of that by a random number from 0 to 1, so that many keys do not return at the same time.
 */
export function backOff(failures: number, random: number, {first, longest}: BackOff = BACK_OFF): number {
  const full = Math.min(longest, first * 2 ** Math.min(failures - 1, MAX_DOUBLED))
  return Math.round(full * (0.5 + random / 2))
}

/** More would exceed what a number can hold. */
const MAX_DOUBLED = 30
