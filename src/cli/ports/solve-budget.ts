import type {Budget} from '../../resolve/solver/solver.js'

/** So many steps are taken between two looks at the clock. */
const STEPS_BETWEEN = 64

/** A budget of time from the first step on: what is looked up before takes none of it. `now` is in milliseconds. */
export function clockBudget(milliseconds: number, now: () => number = () => performance.now()): Budget {
  let start: number | undefined
  return {
    isSpent(steps) {
      start ??= now()
      return steps % STEPS_BETWEEN === 0 && now() - start >= milliseconds
    },
  }
}
