import {expect, it} from '@jest/globals'
import {isReached, markdownTable, median, textTable} from '../../scripts/bench/table.mjs'

it.each([
  {name: 'an odd number of values', in: [3, 1, 2], want: 2},
  {name: 'an even number of values', in: [4, 1, 2, 3], want: 2.5},
  {name: 'no values', in: [], want: Number.NaN},
])('the median of $name', ({in: values, want}) => {
  expect(median(values)).toBe(want)
})

const NODE = {name: 'node', ms: 20}

it.each([
  {name: 'no wanted figure', in: {work: 'a', ms: 1}, want: undefined},
  {name: 'a ratio', in: {work: 'a', ms: 50, peer: NODE, wanted: 2.5}, want: true},
  {name: 'a ratio beyond the wanted one', in: {work: 'a', ms: 51, peer: NODE, wanted: 2.5}, want: false},
  {name: 'a time', in: {work: 'a', ms: 101, wanted: 100}, want: false},
  {name: 'too much memory', in: {work: 'a', ms: 1, wanted: 100, peak: 301, wantedPeak: 300}, want: false},
  {name: 'unknown memory', in: {work: 'a', peak: Number.NaN, wantedPeak: 300}, want: false},
  {
    name: 'a peer that was not measured',
    in: {work: 'a', ms: 1, peer: {name: 'b', ms: Number.NaN}, wanted: 2},
    want: false,
  },
  {name: 'a failure', in: {work: 'a', wanted: 2, error: 'exit status 1'}, want: false},
])('whether a row with $name is reached', ({in: row, want}) => {
  expect(isReached(row)).toBe(want)
})

const ROWS = [
  {work: 'version', build: 'bundle', ms: 50, peer: NODE, wanted: 2.5},
  {work: 'a|b', error: 'exit status 1'},
]

it('a table has the columns that a row has', () => {
  expect(textTable(ROWS)).toEqual([
    'work     build   median ms  baseline  ratio  target  met  details',
    'version  bundle       50.0  node      2.50x  ≤ 2.5x  yes',
    'a|b                                                       failed: exit status 1',
  ])
  expect(markdownTable(ROWS)).toEqual([
    '| work | build | median ms | baseline | ratio | target | met | details |',
    '| --- | --- | --: | --- | --: | --: | --: | --- |',
    '| version | bundle | 50.0 | node | 2.50x | ≤ 2.5x | yes |  |',
    '| a\\|b |  |  |  |  |  |  | failed: exit status 1 |',
  ])
})
