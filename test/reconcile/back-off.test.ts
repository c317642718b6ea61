import {describe, expect, it} from '@jest/globals'
import {backOff} from '../../src/reconcile/back-off.js'

describe('the back-off', () => {
  it.each([
    {name: 'the first failure', failures: 1, random: 1, want: 1000},
    {name: 'half of it by chance', failures: 1, random: 0, want: 500},
    {name: 'twice as long', failures: 2, random: 1, want: 2000},
    {name: 'between half and all', failures: 4, random: 0.5, want: 6000},
    {name: 'at most five minutes', failures: 10, random: 1, want: 300_000},
    {name: 'after very many failures', failures: 1e9, random: 1, want: 300_000},
  ])('is $want ms for $name', ({failures, random, want}) => {
    expect(backOff(failures, random)).toBe(want)
  })
})
