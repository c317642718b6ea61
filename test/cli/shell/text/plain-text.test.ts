import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {plainText} from '../../../../src/cli/shell/text/plain-text.js'

describe('untrusted text', () => {
  it.each([
    {name: 'plain text', reason: 'stays', in: 'SQL – Datenbänke 数据', want: 'SQL – Datenbänke 数据'},
    {name: 'lines and tabs', reason: 'become one line', in: ' a\r\n\tb\n', want: 'a b'},
    {name: 'ANSI', reason: 'colors nothing', in: 'a\u001b[31mred', want: 'a\\u001b[31mred'},
    {name: 'C1', reason: 'is ANSI in one character', in: 'a\u009b2J', want: 'a\\u009b2J'},
    {
      name: 'backspace',
      reason: 'hides nothing',
      in: 'good\b\b\b\bevil',
      want: 'good\\u0008\\u0008\\u0008\\u0008evil',
    },
    {name: 'right to left', reason: 'turns nothing around', in: 'a\u202eb', want: 'a\\u202eb'},
    {name: 'zero width', reason: 'is seen', in: 'a\u200bb\ufeffc', want: 'a\\u200bb\\ufeffc'},
    {
      name: 'line separators',
      reason: 'are not line breaks',
      in: 'a\u2028b\u2029c',
      want: 'a\\u2028b\\u2029c',
    },
    {name: 'half a character', reason: 'is not text', in: 'a\ud800', want: 'a\\ud800'},
    {name: 'a tag of the last plane', reason: 'is two units', in: '\u{e0041}', want: '\\udb40\\udc41'},
  ])('$name: $reason', ({in: text, want}) => {
    expect(plainText(text)).toBe(want)
  })

  it.each([
    {name: 'just fits', reason: 'stays', in: '12345', want: '12345'},
    {name: 'one more', reason: 'is cut', in: '123456', want: '1234…'},
    {name: 'characters of two units', reason: 'count once', in: '😀😀😀😀😀', want: '😀😀😀😀😀'},
    {name: 'and are not cut in two', reason: 'half of it is not text', in: '😀😀😀😀😀😀', want: '😀😀😀😀…'},
  ])('at most five characters, $name: $reason', ({in: text, want}) => {
    expect(plainText(text, 5)).toBe(want)
  })

  it('becomes one line of the requested length without control characters, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({unit: 'binary', maxLength: 40}),
        fc.integer({min: 1, max: 30}),
        (text, length) => {
          const plain = plainText(text, length)
          expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
          expect([...plain].length).toBeLessThanOrEqual(length)
        },
      ),
    )
  })
})
