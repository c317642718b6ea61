import {describe, expect, it} from '@jest/globals'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {writeJson, writeYaml} from '../../src/yaml/write-yaml.js'
import {outcome} from '../outcome.js'
import {values} from './yaml-text.js'

describe('writeYaml', () => {
  it.each<{name: string; in: JsonValue[]; want: string}>([
    {name: 'no documents', in: [], want: ''},
    {name: 'one, without a marker', in: [{a: 1}], want: 'a: 1\n'},
    {
      name: 'several, with markers between',
      in: [{a: 1}, [], 'b', null],
      want: 'a: 1\n---\n[]\n---\nb\n---\nnull\n',
    },
    {
      name: 'keys by code units',
      in: [{b: 1, a: 2, B: 3, é: 4, '😀': 5, '\uffee': 6}],
      want: 'B: 3\na: 2\nb: 1\né: 4\n😀: 5\n\uffee: 6\n',
    },
    {
      name: 'also those that are numbers',
      in: [{'10': 1, '9': 2, a: {'2': 3, '11': 4}}],
      want: "'10': 1\n'9': 2\na:\n  '11': 4\n  '2': 3\n",
    },
    {
      name: '__proto__',
      in: [JSON.parse('{"__proto__": {"b": 1}, "a": 2}') as JsonValue],
      want: '__proto__:\n  b: 1\na: 2\n',
    },
    {
      name: 'lists in the column of their key',
      in: [{a: [1, {b: 2, c: [3]}, [4, [5]], []], d: {}}],
      want: 'a:\n- 1\n- b: 2\n  c:\n  - 3\n- - 4\n  - - 5\n- []\nd: {}\n',
    },
    {
      name: 'lines as a block',
      in: [{a: 'b\nc\n', d: ['e\n\n f', 'g\n\n'], h: ' i\nj\n'}],
      want: 'a: |\n  b\n  c\nd:\n- |-\n  e\n\n   f\n- |+\n  g\n\nh: |2\n   i\n  j\n',
    },
    {
      name: 'with tabs, but for the first character',
      in: [{a: 'b:\n\tc\t\n', d: '\te\nf'}],
      want: 'a: |\n  b:\n  \tc\t\nd: "\\te\\nf"\n',
    },
    {
      name: 'no end mark after kept lines',
      in: [{a: 'b\n\n'}, {c: 'd\n\n\n'}],
      want: 'a: |+\n  b\n\n---\nc: |+\n  d\n\n\n',
    },
    {
      name: 'long lines in one piece',
      in: [{a: 'word '.repeat(50) + 'end'}],
      want: `a: ${'word '.repeat(50)}end\n`,
    },
    {
      name: 'what else would be another type',
      in: [{yes: 'no', '1': '0x1F', n: '1_000', '~': '', '0b1': '0o17', '<<': '2001-01-01', '=': '12:30:45'}],
      want: `'0b1': '0o17'\n'1': '0x1F'\n'<<': '2001-01-01'\n'=': '12:30:45'\n'n': '1_000'\n'yes': 'no'\n'~': ''\n`,
    },
    {
      name: 'what PyYAML rejects as a number or date without a value, or reads in any size',
      in: [['0x_', '-0b__', '2001-02-30', '2001-1-1 24:00:00', '2001-1-1', `${'9'.repeat(400)}:30`]],
      want: `- '0x_'\n- '-0b__'\n- '2001-02-30'\n- '2001-1-1 24:00:00'\n- 2001-1-1\n- '${'9'.repeat(400)}:30'\n`,
    },
    {
      name: 'what else would be syntax',
      in: [
        [
          '- a',
          'b: c',
          ' d',
          'e ',
          '#f',
          '*g',
          '&h',
          '!i',
          '|j',
          '%k',
          '@l',
          '`m',
          '[n',
          '{o',
          "p'q",
          '"r',
          '---',
          'a #b',
          'c:',
        ],
      ],
      want: `- '- a'\n- 'b: c'\n- ' d'\n- 'e '\n- '#f'\n- '*g'\n- '&h'\n- '!i'\n- '|j'\n- '%k'\n- '@l'\n- '\`m'\n- '[n'\n- '{o'\n- p'q\n- '"r'\n- "---"\n- 'a #b'\n- 'c:'\n`,
    },
    {
      name: 'keys like the marks of documents',
      in: [{'---': 1, '--- a': 2, '...': 3, '----': 4}],
      want: '"---": 1\n"--- a": 2\n----: 4\n"...": 3\n',
    },
    {
      name: 'invisible characters as escapes',
      in: [['\0', '\x1b[0m', '\x85', '\xa0', '\u2028', '\ufeff', 'a\rb', '\t', '\x7f']],
      want: '- "\\0"\n- "\\e[0m"\n- "\\N"\n- "\\_"\n- "\\L"\n- "\\uFEFF"\n- "a\\rb"\n- "\\t"\n- "\\x7F"\n',
    },
    {
      name: 'numbers',
      in: [
        [
          0,
          -1,
          1.5,
          1e21,
          1e-7,
          -1.5e-10,
          9007199254740991,
          9007199254740992,
          1e20,
          9007199254740993n,
          18446744073709551615n,
          -9223372036854775808n,
          -0,
        ],
      ],
      want: '- 0\n- -1\n- 1.5\n- 1.0e+21\n- 1.0e-7\n- -1.5e-10\n- 9007199254740991\n- 9.007199254740992e+15\n- 1.0e+20\n- 9007199254740993\n- 18446744073709551615\n- -9223372036854775808\n- 0\n',
    },
    {
      name: 'booleans and null',
      in: [{a: true, b: false, c: null, d: 'true', e: 'null'}],
      want: "a: true\nb: false\nc: null\nd: 'true'\ne: 'null'\n",
    },
    {name: 'a document that is text', in: ['a\n b', ' c\n'], want: '"a\\n b"\n---\n" c\\n"\n'},
    {
      name: 'keys of several lines, and long ones',
      in: [{'a\nb': 1, ['c'.repeat(1100)]: 2}],
      want: `? "a\\nb"\n: 1\n? ${'c'.repeat(1100)}\n: 2\n`,
    },
  ])('writes $name', ({in: given, want}) => {
    expect(writeYaml(given)).toBe(want)
  })

  it('writes a value that occurs several times in full', () => {
    const shared = {a: ['b']}
    expect(writeYaml([{c: shared, d: shared}])).toBe('c:\n  a:\n  - b\nd:\n  a:\n  - b\n')
  })

  it.each<{name: string; in: JsonValue}>([
    {name: 'words', in: 'lorem ipsum '.repeat(17_000) + '.'},
    {name: 'lines', in: 'lorem ipsum\n'.repeat(17_000)},
    {name: 'base64', in: 'x'.repeat(200_000)},
    {name: 'quotes', in: `"'`.repeat(100_000)},
    {name: 'blanks', in: `a${' '.repeat(200_000)}`},
    {name: 'control characters', in: '\x07'.repeat(200_000)},
    {
      name: 'a hundred levels',
      in: Array.from({length: 98}).reduce<JsonValue>(value => ({a: [value]}).a, 'b'),
    },
    {
      name: 'a hundred thousand keys',
      in: Object.fromEntries(Array.from({length: 100_000}, (_, i) => [`k${i}`, i])),
    },
    {name: 'a mebibyte', in: 'ab\n'.repeat(349_525)},
  ])('reads back large values: $name', ({in: value}) => {
    expect(values(writeYaml([{value}]))).toStrictEqual([{value}])
  })
})

describe('text with bidirectional control characters', () => {
  const value = {'a\u202eb': ['x\u2066y', 'line\n\u202dline\n', '\\\u202e']}
  it.each([
    {name: 'YAML', write: () => writeYaml([value])},
    {name: 'JSON', write: () => writeJson(value)},
  ])('is escaped in $name, and reads the same', ({write}) => {
    const text = write()
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(values(text)).toEqual([value])
  })
})

describe('writeJson', () => {
  it.each<{name: string; in: JsonValue; want: string}>([
    {
      name: 'sorted and indented',
      in: {b: [1, {d: [], c: {}}], a: null},
      want: '{\n  "a": null,\n  "b": [\n    1,\n    {\n      "c": {},\n      "d": []\n    }\n  ]\n}\n',
    },
    {name: 'by code units', in: {'10': 1, '9': 2}, want: '{\n  "10": 1,\n  "9": 2\n}\n'},
    {
      name: 'integers in full',
      in: [9007199254740993n, 18446744073709551615n, -9223372036854775808n],
      want: '[\n  9007199254740993,\n  18446744073709551615,\n  -9223372036854775808\n]\n',
    },
    {
      name: 'floats as floats',
      in: [9007199254740992, 1e21, 0.1, -0],
      want: '[\n  9.007199254740992e+15,\n  1.0e+21,\n  0.1,\n  0\n]\n',
    },
    {
      name: 'escapes that YAML also requires',
      in: '"\\\n\t\0é😀\x7f\x85\u2028\ufeff',
      want: '"\\"\\\\\\n\\t\\u0000é😀\\u007f\\u0085\\u2028\\ufeff"\n',
    },
    {name: '__proto__', in: JSON.parse('{"__proto__": 1}') as JsonValue, want: '{\n  "__proto__": 1\n}\n'},
    {name: 'true', in: true, want: 'true\n'},
  ])('writes $name', ({in: value, want}) => {
    expect(writeJson(value)).toBe(want)
  })
})

describe('values that cannot be written', () => {
  it.each<{name: string; in: JsonValue; want: string}>([
    {name: 'half a character', in: ['a\ud800'], want: 'output-failed'},
    {name: 'half a character in a key', in: {'\udc00a': 1}, want: 'output-failed'},
    {name: 'text longer than Kubernetes stores', in: 'x'.repeat(1024 * 1024 + 1), want: 'limit-exceeded'},
  ])('are rejected: $name', async ({in: value, want}) => {
    expect(await outcome(() => writeYaml([value]))).toBe(want)
    expect(await outcome(() => writeJson(value))).toBe(want)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('are a bug: %d', value => {
    expect(() => writeYaml([value])).toThrow(RangeError)
    expect(() => writeJson(value)).toThrow(RangeError)
  })
})
