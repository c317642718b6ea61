import {describe, expect, it} from '@jest/globals'
import type {Paint} from '../../../../src/cli/shell/text/paint.js'
import {formatNarrow, formatTable, type Row} from '../../../../src/cli/shell/text/table.js'

const plain: Paint = (_style, text) => text
const marked: Paint = (style, text) => `<${style}>${text}</>`

const CASES: readonly {
  name: string
  reason: string
  in: readonly Row[]
  paint?: Paint
  want: readonly string[]
}[] = [
  {name: 'no rows', reason: 'no lines', in: [], want: []},
  {
    name: 'columns',
    reason: 'three blanks apart, none at the end',
    in: [
      ['NAME', 'B', 'C'],
      ['a', 'bbbb', ''],
      ['aaaaa', '', 'c'],
    ],
    want: ['  NAME    B      C', '  a       bbbb', '  aaaaa          c'],
  },
  {
    name: 'a short row',
    reason: 'its last cell widens no column',
    in: [
      ['a', 'b', 'c'],
      ['x', 'a long last cell'],
    ],
    want: ['  a   b   c', '  x   a long last cell'],
  },
  {
    name: 'styles',
    reason: 'do not change the width',
    in: [
      [{text: 'a', style: 'red'}, 'b'],
      ['aa', 'b'],
    ],
    paint: marked,
    want: ['  <red>a</>    b', '  aa   b'],
  },
  {
    name: 'characters of two units',
    reason: 'occupy one column',
    in: [
      ['😀', 'b'],
      ['aa', 'b'],
    ],
    want: ['  😀    b', '  aa   b'],
  },
  {
    name: 'hostile text',
    reason: 'no cell breaks out of its line, or colors it',
    in: [['a\nb', 'c\u001b[31m']],
    want: ['  a b   c\\u001b[31m'],
  },
  {
    name: 'long text',
    reason: 'is cut, shorter where others follow',
    in: [['a'.repeat(161), 'b'.repeat(201)]],
    want: [`  ${'a'.repeat(159)}…   ${'b'.repeat(199)}…`],
  },
]

describe('a table', () => {
  it.each(CASES)('$name: $reason', ({in: rows, paint = plain, want}) => {
    expect(formatTable(rows, paint)).toEqual(want)
  })
  it('has any number of rows, more than the maximum number of arguments of a call', () => {
    const rows = Array.from({length: 200_000}, (): Row => ['a', 'b'])
    const lines = formatTable(rows, plain)
    expect({lines: lines.length, last: lines.at(-1)}).toEqual({lines: 200_000, last: '  a   b'})
  })
})

describe('a table for a terminal', () => {
  const long = 'r'.repeat(100)

  it('has what is too wide below its row, and nothing below a row without it', () => {
    expect(
      formatNarrow(
        [
          ['a', 'one', long],
          ['', 'two', ''],
          ['b', 'three'],
        ],
        2,
        plain,
      ),
    ).toEqual([['a   one', `    ${long}`], ['    two'], ['b   three']])
  })

  it('is one line for each row that fits', () => {
    expect(formatNarrow([['a', 'one', 'why']], 2, plain)).toEqual([['a   one   why']])
  })
})
