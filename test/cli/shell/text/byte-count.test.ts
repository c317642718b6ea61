import {describe, expect, it} from '@jest/globals'
import {formatBytes} from '../../../../src/cli/shell/text/byte-count.js'

describe('formatBytes', () => {
  it.each([
    {in: 0, want: '0 B'},
    {in: 1023, want: '1023 B'},
    {in: 1024, want: '1 KiB'},
    {in: 1229, want: '1.2 KiB'},
    {in: 10_239, want: '10 KiB'},
    {in: 35.4 * 1024 ** 2, want: '35 MiB'},
    {in: 1024 ** 2 - 1, want: '1 MiB'},
    {in: 5 * 1024 ** 3, want: '5 GiB'},
    {in: 5000 * 1024 ** 4, want: '5000 TiB'},
  ])('$in is $want', ({in: bytes, want}) => {
    expect(formatBytes(bytes)).toBe(want)
  })
})
