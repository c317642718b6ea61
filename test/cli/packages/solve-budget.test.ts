import {describe, expect, it} from '@jest/globals'
import {clockBudget} from '../../../src/cli/packages/solve-budget.js'

describe('a time limit for solving', () => {
  it('starts with the first step, and is checked after every 64', () => {
    let time = 1000
    const budget = clockBudget(
      50,
      () => undefined,
      () => time,
    )
    time = 5000
    const spent = [1, 63, 64, 65, 128, 192].map(steps => {
      if (steps === 65) time += 50
      return budget.isSpent(steps)
    })
    expect(spent).toEqual([false, false, false, false, true, true])
  })

  it('of zero is exceeded at the first check', () => {
    const budget = clockBudget(0)
    expect([1, 64].map(steps => budget.isSpent(steps))).toEqual([false, true])
  })
})
