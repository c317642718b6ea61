import {expect, it} from '@jest/globals'
import {listed} from '../../../src/author/lint/listed.js'

it.each([
  {name: 'none', in: [], want: ''},
  {name: 'as many as fit', in: ['a', 'b', 'c', 'd', 'e'], want: 'a, b, c, d, e'},
  {name: 'more than fit', in: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], want: 'a, b, c, d, e and 2 more'},
])('lists $name', ({in: names, want}) => {
  expect(listed(names)).toBe(want)
})
