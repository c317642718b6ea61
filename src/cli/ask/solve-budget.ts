import type {Budget} from '../../resolve/search.js'

/** So many steps are taken between two looks at the clock. */
const STEPS_BETWEEN = 64

/** A budget of time, from now on. */
export function clockBudget(milliseconds: number): Budget {
  const end = performance.now() + milliseconds
  return {isSpent: steps => steps % STEPS_BETWEEN === 0 && performance.now() > end}
}
