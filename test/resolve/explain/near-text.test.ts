import {describe, expect, it} from '@jest/globals'
import {isNear} from '../../../src/resolve/explain/near-text.js'

describe('names that are nearly alike', () => {
  it.each([
    {name: 'a letter too many', in: ['sqll.org', 'sql.org'], want: true},
    {name: 'two letters swapped', in: ['slq.org', 'sql.org'], want: true},
    {name: 'three letters wrong', in: ['xyz.org', 'sql.org'], want: false},
    {name: 'much longer', in: ['a.sql.org', 'l.org'], want: false},
    {name: 'the same', in: ['sql.org', 'sql.org'], want: false},
  ] as const)('$name', ({in: [a, b], want}) => {
    expect([isNear(a, b), isNear(b, a)]).toEqual([want, want])
  })
})
