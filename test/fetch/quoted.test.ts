import {describe, expect, it} from '@jest/globals'
import {listed, quoted} from '../../src/fetch/quoted.js'

describe('quoted', () => {
  it.each<{name: string; in: string; want: string}>([
    {name: 'plain text', in: 'a b/é', want: '"a b/é"'},
    {name: 'quotes', in: 'a"b', want: String.raw`"a\"b"`},
    {
      name: 'what would move the cursor',
      in: 'a\x1b[2J\n\x7f\x9b',
      want: String.raw`"a\u001b[2J\n\u007f\u009b"`,
    },
    {name: 'what would turn the text around', in: 'a\u202eb\u2066', want: String.raw`"a\u202eb\u2066"`},
    {name: 'half a character', in: '\ud800', want: String.raw`"\ud800"`},
    {name: 'no more than two hundred characters', in: 'a'.repeat(300), want: `"${'a'.repeat(200)}…"`},
  ])('writes $name', ({in: text, want}) => {
    expect(quoted(text)).toBe(want)
  })
})

describe('listed', () => {
  it.each<{name: string; in: readonly string[]; want: string}>([
    {name: 'nothing', in: [], want: ''},
    {name: 'each once, in order', in: ['b', 'a', 'b'], want: 'a, b'},
    {name: 'nothing that moves a cursor', in: ['a\x1b[2J'], want: String.raw`a\u001b[2J`},
    {
      name: 'twenty at most',
      in: Array.from({length: 25}, (_, index) => String.fromCharCode(97 + index)),
      want: 'a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t and 5 more',
    },
  ])('writes $name', ({in: names, want}) => {
    expect(listed(names)).toBe(want)
  })
})
