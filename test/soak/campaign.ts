import {it} from '@jest/globals'
import {random} from '../shuffled.js'

/** What one round of a campaign is given: everything random in it comes from `random`. */
export interface Round {
  /** Counts from 0. */
  readonly number: number
  /** Numbers from 0 to 1 that follow from the campaign's seed and the number of the round. */
  readonly random: () => number
}

/** `npm run soak` sets it; without it, each campaign runs its short number of rounds. */
const isLong = process.env.SOAK_MINUTES !== undefined
const minutes = Number(process.env.SOAK_MINUTES ?? 0)
/** The short run is the same every time, unless a seed is given. */
const seed = Number(process.env.SOAK_SEED ?? 1)
/** Repeats one round only. */
const onlyRound = process.env.SOAK_ROUND === undefined ? undefined : Number(process.env.SOAK_ROUND)

const MINUTE = 60_000
/** Milliseconds of a long round. */
const SLOW = 5000
/** Milliseconds that a round of those that must be run may take: some wait for a controller of Git several times. */
const ROUND = 240_000

/**
 * Declares a campaign: a test that repeats `round` with another random input each time, `short` times in the full
 * check; under `npm run soak` for SOAK_MINUTES minutes, and `long` times at least. A failure names the seed and the round
 * that repeat it.
 */
export function campaign(
  name: string,
  {short, long = 0}: {readonly short: number; readonly long?: number},
  round: (round: Round) => Promise<void> | void,
): void {
  it(
    `${name} (seed ${seed})`,
    async () => {
      if (onlyRound !== undefined) return runRound(onlyRound, round)
      const end = Date.now() + minutes * MINUTE
      let number = 0
      for (; isLong ? Date.now() < end || number < long : number < short; number++) {
        const start = Date.now()
        await runRound(number, round)
        // Of long rounds, one wants to see how many there were before the last one ends.
        if (isLong && Date.now() - start > SLOW) process.stderr.write(`${name}: round ${number} passed\n`)
      }
      if (isLong) process.stderr.write(`${name}: ${number} rounds\n`)
    },
    (minutes + 10) * MINUTE + (isLong ? long * ROUND : 0),
  )
}

async function runRound(number: number, round: (round: Round) => Promise<void> | void): Promise<void> {
  try {
    await round({number, random: random(seed * 1_000_003 + number)})
  } catch (error) {
    throw new Error(`round ${number} failed; repeat it with SOAK_SEED=${seed} SOAK_ROUND=${number}`, {
      cause: error,
    })
  }
}

/** An integer from 0 to `count - 1`. */
export function below(next: () => number, count: number): number {
  return Math.floor(next() * count)
}

/** One of `items`, each as likely as the others. */
export function pick<Item>(next: () => number, items: readonly Item[]): Item {
  return items[below(next, items.length)]!
}
