import {describe, expect, it} from '@jest/globals'
import {
  count,
  escaped,
  isNear,
  listAll,
  listNames,
  listSome,
  nearest,
  quoted,
  shellWord,
  withoutCommands,
} from '../src/text.js'

describe('count', () => {
  it.each<{name: string; in: readonly [number, string, string?]; want: string}>([
    {name: 'no things', in: [0, 'error'], want: '0 errors'},
    {name: 'one', in: [1, 'error'], want: '1 error'},
    {name: 'several', in: [2, 'error'], want: '2 errors'},
    {name: 'one with an irregular plural', in: [1, 'entry', 'entries'], want: '1 entry'},
    {name: 'several with an irregular plural', in: [3, 'entry', 'entries'], want: '3 entries'},
  ])('writes $name', ({in: args, want}) => {
    expect(count(...args)).toBe(want)
  })
})

describe('listAll', () => {
  it.each<{name: string; in: readonly string[]; want: string}>([
    {name: 'nothing', in: [], want: ''},
    {name: 'one', in: ['a'], want: 'a'},
    {name: 'two', in: ['a', 'b'], want: 'a or b'},
    {name: 'three', in: ['a', 'b', 'c'], want: 'a, b or c'},
  ])('writes $name', ({in: texts, want}) => {
    expect(listAll(texts, 'or')).toBe(want)
  })
})

describe('listSome', () => {
  it.each<{name: string; in: readonly string[]; want: string}>([
    {name: 'nothing', in: [], want: ''},
    {name: 'as many as fit', in: ['a', 'b', 'c'], want: 'a, b, c'},
    {name: 'more than fit', in: ['a', 'b', 'c', 'd', 'e'], want: 'a, b, c and 2 more'},
  ])('writes $name', ({in: texts, want}) => {
    expect(listSome(texts, 3)).toBe(want)
  })
})

describe('withoutCommands', () => {
  it.each<{name: string; in: string; want: string}>([
    {name: 'a command', in: '::error::no', want: String.raw`\u003a:error::no`},
    {name: 'a command after blanks', in: '  \t::stop-commands::x', want: `  \t\\u003a:stop-commands::x`},
    {name: 'a command of the old form', in: 'a ##[error]no', want: String.raw`a #\u0023[error]no`},
    {name: 'colons in a text', in: 'a::b ## [c]', want: 'a::b ## [c]'},
  ])('escapes $name', ({in: line, want}) => {
    expect(withoutCommands(line)).toBe(want)
  })
})

describe('listNames', () => {
  it.each<{name: string; in: readonly string[]; want: string}>([
    {name: 'nothing', in: [], want: ''},
    {name: 'each once, in order', in: ['b', 'a', 'b'], want: 'a, b'},
    {name: 'escaped', in: ['a\x1b[2J'], want: String.raw`a\u001b[2J`},
    {
      name: 'at most twenty',
      in: Array.from({length: 25}, (_, index) => String.fromCharCode(97 + index)),
      want: 'a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t and 5 more',
    },
  ])('writes $name', ({in: names, want}) => {
    expect(listNames(names)).toBe(want)
  })
})

describe('quoted', () => {
  it.each<{name: string; in: string; want: string}>([
    {name: 'plain text', in: 'a b/é', want: '"a b/é"'},
    {name: 'quotes', in: 'a"b', want: String.raw`"a\"b"`},
    {name: 'cursor movements', in: 'a\x1b[2J\n\x7f\x9b', want: String.raw`"a\u001b[2J\n\u007f\u009b"`},
    {name: 'bidirectional controls', in: 'a\u202eb\u2066', want: String.raw`"a\u202eb\u2066"`},
    {name: 'half a surrogate pair', in: '\ud800', want: String.raw`"\ud800"`},
    {name: 'at most 200 characters', in: 'a'.repeat(300), want: `"${'a'.repeat(200)}…"`},
  ])('writes $name', ({in: text, want}) => {
    expect(quoted(text)).toBe(want)
  })
})

it('escapeText escapes without quotes', () => {
  expect(escaped('a\x1b"')).toBe(String.raw`a\u001b\"`)
})

describe('nearest', () => {
  it.each([
    {in: 'rendr', want: 'render'},
    {in: 'rnder', want: 'render'},
    {in: 'REDNER', want: 'render'},
    {in: 'tre', want: 'tree'},
    {in: 'frobnicate', want: undefined},
    {in: '', want: undefined},
  ])('of "$in" is $want', ({in: text, want}) => {
    expect(nearest(text, ['render', 'tree', 'lock'])).toBe(want)
  })
})

describe('shellWord', () => {
  it.each([
    {in: 'a/b:v1@sha256:0', want: 'a/b:v1@sha256:0'},
    {in: 'a b', want: "'a b'"},
    {in: "it's", want: "'it'\\''s'"},
    {in: '*.example.org', want: "'*.example.org'"},
    {in: '', want: "''"},
  ])('quotes $in as $want', ({in: text, want}) => {
    expect(shellWord(text)).toBe(want)
  })
})

describe('isNear', () => {
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
