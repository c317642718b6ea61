import {describe, expect, it} from '@jest/globals'
import {compactJson, compactSize, parseExactJson} from '../../src/yaml/exact-json.js'

describe('exact JSON', () => {
  it.each([
    {
      name: 'small integers',
      reason: 'they are numbers',
      in: '[1,-2,9007199254740991]',
      want: [1, -2, 9007199254740991],
    },
    {
      name: 'large integers',
      reason: 'a double loses digits',
      in: '{"a":9007199254740993,"b":[ -9007199254740993]}',
      want: {a: 9007199254740993n, b: [-9007199254740993n]},
    },
    {
      name: '64 bits',
      reason: 'Kubernetes has no more',
      in: '[18446744073709551615]',
      want: [18446744073709551615n],
    },
    {
      name: 'a million digits',
      reason: 'converting them would take minutes',
      in: `[${'9'.repeat(1_000_000)}]`,
      want: [Infinity],
    },
    {
      name: 'digits in strings',
      reason: 'strings stay what they are',
      in: '{"9007199254740993":"n1","b":"9007199254740993","c":9007199254740993,"d":"s\\"9007199254740993"}',
      want: {'9007199254740993': 'n1', b: '9007199254740993', c: 9007199254740993n, d: 's"9007199254740993'},
    },
    {
      name: 'fractions and exponents',
      reason: 'they are floats',
      in: '[0.1234567890123456,1234567890123456789.0,1e20]',
      want: [0.1234567890123456, 1234567890123456800, 1e20],
    },
    {
      name: 'a key of prototypes',
      reason: 'it is a key as any other',
      in: '{"__proto__":{"a":9007199254740993}}',
      want: JSON.parse('{"__proto__":{"a":1}}') as object,
    },
  ])('reads $name: $reason', ({in: text, want, name}) => {
    const value = parseExactJson(text)
    if (name === 'a key of prototypes') expect(Object.keys(value as object)).toEqual(Object.keys(want))
    else expect(value).toEqual(want)
  })

  it('reads strings of any length without confusing their content with numbers', () => {
    for (const part of ['\\n', '\\"', '\\\\', 'bigint', 'a']) {
      const text = `"${part.repeat(1_000_000)}"`
      expect(parseExactJson(`[${text},9007199254740993]`)).toEqual([JSON.parse(text), 9007199254740993n])
    }
  })

  it('rejects text that is not JSON', () => {
    expect(() => parseExactJson('{"a":9007199254740993,}')).toThrow(SyntaxError)
  })

  it('writes the same text as it reads, in the same order of keys', () => {
    const text = '{"b":[9007199254740993,null,true,"\\"",1.5],"a":{"c":{}}}'
    expect(compactJson(parseExactJson(text))).toBe(text)
  })

  it.each(['{"b":[9007199254740993,null,true,"x",1.5],"a":{"c":{}}}', '[]', '""', '{"a":"1234567890"}'])(
    'estimates the length of %s',
    text => {
      const size = compactSize(parseExactJson(text))
      expect(size).toBeGreaterThanOrEqual(text.length)
      expect(size).toBeLessThan(text.length + 5)
    },
  )
})
