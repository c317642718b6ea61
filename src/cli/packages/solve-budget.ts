import type {Budget} from '../../resolve/solver/solver.js'

/** The number of steps between two checks of the clock. */
const STEPS_BETWEEN = 64

/**
 * A time limit that starts with the first step, without the time for lookups before it. `now` is in milliseconds;
 * `report` is called while the time passes.
 */
export function clockBudget(
  milliseconds: number,
  report: () => void = () => undefined,
  now: () => number = processTime,
): Budget {
  let start: number | undefined
  return {
    isSpent(steps) {
      start ??= now()
      if (steps % STEPS_BETWEEN !== 0) return false
      report()
      return now() - start >= milliseconds
    },
  }
}

/** Milliseconds since the process began. `performance` would load ten modules of Node.js first. */
function processTime(): number {
  return process.uptime() * 1000
}
