import {describe, expect, it} from '@jest/globals'
import {FLOATS, INTEGERS, KEYS, STRINGS, WORDS} from './scalar-table.js'
import {refusal, values} from './yaml-text.js'

const value = (text: string) => values(`a: ${text}\n`)[0]
const key = (text: string) => values(`${text}: x\n`)[0]

describe('a plain scalar as a value', () => {
  it.each(WORDS)('%j is a word: %j', (text, want) => {
    expect(value(text)).toStrictEqual({a: want})
  })

  it.each(INTEGERS)('%j is the integer %j', (text, want) => {
    expect(value(text)).toStrictEqual({a: want})
  })

  it.each(FLOATS)('%j is the float %j', (text, want) => {
    expect(value(text)).toStrictEqual({a: want})
  })

  it.each(STRINGS)('%j is a string', text => {
    expect(value(text)).toStrictEqual({a: text})
  })

  it.each([
    {in: '18446744073709551616', reason: 'one more than 64 bits hold'},
    {in: '-9223372036854775809', reason: 'one less'},
    {in: '99999999999999999999999999', reason: 'Go would round it'},
    {in: '1_000_000_000_000_000_000_000', reason: 'underscores are not digits'},
    {in: '07777777777777777777777777', reason: 'too large as octal, and not meant as a decimal'},
    {in: '9'.repeat(100_000), reason: 'of any length, at once'},
    {in: '.inf', reason: 'JSON has none'},
    {in: '-.Inf', reason: 'JSON has none'},
    {in: '+.INF', reason: 'JSON has none'},
    {in: '.NaN', reason: 'JSON has none'},
  ])('rejects a number: $reason', ({in: text}) => {
    expect(refusal(`b: 1\na: ${text}\n`)).toBe('yaml-number:2')
  })
})

describe('a quoted scalar', () => {
  it.each(['yes', 'null', '~', '', '1', '0x1f', '1.5', '.inf', '<<', '99999999999999999999999'])(
    '%j is a string for any content',
    text => {
      expect(values(`a: "${text}"\nb: '${text}'\nc: |-\n  ${text}\n`)).toStrictEqual([
        {a: text, b: text, c: text},
      ])
    },
  )
})

describe('a tagged scalar', () => {
  it.each([
    ['!!str 1', '1'],
    ['!!str', ''],
    ['!!str yes', 'yes'],
    ['!!str null', 'null'],
    ['!!str .inf', '.inf'],
    ['! 1', '1'],
    ['!<tag:yaml.org,2002:str> 1', '1'],
    ['!!int "12"', 12],
    ['!!int 0x1f', 31],
    ["!!int '18446744073709551615'", 18446744073709551615n],
    ['!!%69nt "12"', 12],
    ['!<tag:yaml.org,2002:int> "12"', 12],
    ['!!float 1', 1],
    ['!!float "1.5"', 1.5],
    ['!!float 9007199254740993', 9007199254740992],
    ['!!bool "yes"', true],
    ['!!bool off', false],
    ['!!null ~', null],
    ['!!null', null],
    ['!!null ""', null],
    ['!!binary aGk=', 'hi'],
    ['!!binary "aG\\nk="', 'hi'],
    ['!!binary |\n  aG\n  k=', 'hi'],
    ['!!binary ""', ''],
    ['!!binary w6k=', 'é'],
    ['!!timestamp 2001-01-01', '2001-01-01'],
    ['!!timestamp "2001-1-1T1:2:3Z"', '2001-1-1T1:2:3Z'],
    ['!!timestamp 2001-01-01 01:02:03.5', '2001-01-01 01:02:03.5'],
    ['!!merge x', 'x'],
    ['!!set x', 'x'],
    ['!local yes', 'yes'],
    ['!local', ''],
    ['!<!verbatim> 1', '1'],
  ])('%j', (text, want) => {
    expect(value(text)).toStrictEqual({a: want})
  })

  it.each([
    ['!!int 1.5', 'yaml-syntax:1'],
    ['!!int yes', 'yaml-syntax:1'],
    ['!!int ""', 'yaml-syntax:1'],
    ['!!int', 'yaml-syntax:1'],
    ['!!int 99999999999999999999', 'yaml-number:1'],
    ['!!float x', 'yaml-syntax:1'],
    ['!!float 18446744073709551615', 'yaml-syntax:1'],
    ['!!float .inf', 'yaml-number:1'],
    ['!!bool 1', 'yaml-syntax:1'],
    ['!!null x', 'yaml-syntax:1'],
    ['!!timestamp soon', 'yaml-syntax:1'],
    ['!!timestamp 12', 'yaml-syntax:1'],
    ['!!binary aGk', 'yaml-syntax:1'],
    ['!!binary a_k=', 'yaml-syntax:1'],
    ['!!binary "aG\n  k="', 'yaml-syntax:1'],
    ['!!binary /w==', 'yaml-encoding:1'],
    ['!nowhere!x 1', 'yaml-syntax:1'],
  ])('rejects %j', (text, want) => {
    expect(refusal(`a: ${text}`)).toBe(want)
  })

  it.each([
    {
      name: 'a tag of a collection is ignored',
      in: 'a: !!str [1]\nb: !!int {c: 1}',
      want: [{a: [1], b: {c: 1}}],
    },
    {
      name: 'a directive declares a handle',
      in: '%TAG !e! tag:yaml.org,2002:\n---\na: !e!int "1"',
      want: [{a: 1}],
    },
    {name: 'or another meaning of !', in: '%TAG ! tag:yaml.org,2002:\n---\na: !int "1"', want: [{a: 1}]},
    {name: 'or of !!', in: '%TAG !! tag:example.com,2000:\n---\na: !!int "1"', want: [{a: '1'}]},
    {
      name: 'for one document only',
      in: '%TAG ! tag:yaml.org,2002:\n---\na: !int "1"\n...\n---\na: !int "1"',
      want: [{a: 1}, {a: '1'}],
    },
  ])('$name', ({in: text, want}) => {
    expect(values(text)).toStrictEqual(want)
  })
})

describe('a scalar as a key', () => {
  it.each(KEYS)('%j is %j', (text, want) => {
    expect(key(text)).toStrictEqual(Object.fromEntries([[want, 'x']]))
  })

  it.each([
    ['~', 'yaml-key:1'],
    ['null', 'yaml-key:1'],
    ['', 'yaml-key:1'],
    ['!!null ""', 'yaml-key:1'],
    ['18446744073709551615', 'yaml-key:1'],
    ['99999999999999999999', 'yaml-number:1'],
    ['[a]', 'yaml-key:1'],
    ['{a: b}', 'yaml-key:1'],
    ['? - a\n', 'yaml-key:1'],
    ['!!int x', 'yaml-syntax:1'],
  ])('rejects %j', (text, want) => {
    expect(refusal(`${text}: x\n`)).toBe(want)
  })
})
