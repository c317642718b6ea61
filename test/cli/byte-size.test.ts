import {expect, it} from '@jest/globals'
import {byteSize} from '../../src/cli/byte-size.js'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1550, '1.6 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [209_715_200, '209.7 MB'],
  [2_147_483_648, '2.1 GB'],
  [5_000_000_000_000_000, '5000.0 TB'],
])('%d bytes are %s', (bytes, want) => {
  expect(byteSize(bytes)).toBe(want)
})
