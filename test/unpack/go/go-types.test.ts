import {describe, expect, it} from '@jest/globals'
import {readAs, type ScalarMode} from '../../../src/unpack/go/go-types.js'
import type {JsonObject, JsonValue} from '../../../src/yaml/json-value.js'

/** Reads `{f: value}` as a type with that one field, and says what became of it; the text of a refusal if it was refused. */
function read(expression: string, value: JsonValue | undefined, scalars: ScalarMode = 'strict') {
  const types = {Outer: {f: expression}, Inner: {a: 'string', b: 'integer?', c: 'boolean*'}, Empty: {}}
  const given: JsonObject = value === undefined ? {} : {f: value}
  const {value: out, diagnostics} = readAs('Outer', types, given, scalars)
  return diagnostics.length === 0 ? out : diagnostics.map(({path, message}) => `${path.join('.')} ${message}`)
}

interface Case {
  readonly as: string
  readonly given: JsonValue | undefined
  readonly want: JsonObject | readonly string[]
}

const refusedAs = (requested: string, given: string) => [`f must be ${requested}, not ${given}`]

describe('a scalar', () => {
  const cases: readonly Case[] = [
    {as: 'string', given: 'a', want: {f: 'a'}},
    {as: 'string', given: [], want: refusedAs('a string', 'a list')},
    {as: 'string', given: {}, want: refusedAs('a string', 'an object')},
    {as: 'string', given: 1.5, want: refusedAs('a string', 'the number 1.5; quote it')},
    {
      as: 'string',
      given: 2n ** 64n - 1n,
      want: refusedAs('a string', `the number ${2n ** 64n - 1n}; quote it`),
    },
    {as: 'string', given: false, want: refusedAs('a string', 'the boolean false; quote it')},
    {as: 'boolean', given: true, want: {f: true}},
    {as: 'boolean', given: 'true', want: refusedAs('true or false', 'a string')},
    {as: 'boolean', given: 1, want: refusedAs('true or false', 'the number 1')},
    {as: 'integer', given: -3, want: {f: -3}},
    {as: 'integer', given: 2n ** 60n, want: {f: 2n ** 60n}},
    {as: 'integer', given: 1.5, want: refusedAs('an integer', 'the number 1.5')},
    {as: 'integer', given: '3', want: refusedAs('an integer', 'a string')},
    {as: 'number', given: 1.5, want: {f: 1.5}},
    {as: 'number', given: 2n ** 60n, want: {f: 2 ** 60}},
    {as: 'number', given: '1.5', want: refusedAs('a number', 'a string')},
    {as: 'intOrString', given: 80, want: {f: 80}},
    {as: 'intOrString', given: '25%', want: {f: '25%'}},
    {as: 'intOrString', given: 0.5, want: refusedAs('an integer or a string', 'the number 0.5')},
    {as: 'intOrString', given: true, want: refusedAs('an integer or a string', 'the boolean true')},
    {as: 'quantity', given: 0.5, want: {f: '500m'}},
    {as: 'quantity', given: '1024Mi', want: {f: '1Gi'}},
    {as: 'quantity', given: 2n ** 60n, want: {f: String(2n ** 60n)}},
    {as: 'quantity', given: 'lots', want: refusedAs('a quantity such as 500m or 1Gi', 'a string')},
    {as: 'quantity', given: [], want: refusedAs('a quantity such as 500m or 1Gi', 'a list')},
    {as: 'time', given: '2020-01-01T00:00:00Z', want: {f: '2020-01-01T00:00:00Z'}},
    {as: 'time', given: 5, want: refusedAs('a timestamp', 'the number 5')},
    {as: 'any', given: [null, {a: null}, 1n], want: {f: [null, {a: null}, 1n]}},
    {as: 'any', given: false, want: {f: false}},
  ]

  it.each(cases)('as $as: $given', ({as, given, want}) => {
    expect(read(as, given)).toEqual(want)
  })
})

describe('a field that is absent or null', () => {
  const zeros: readonly [expression: string, zero: JsonValue | undefined][] = [
    ['string', ''],
    ['boolean', false],
    ['integer', 0],
    ['number', 0],
    ['intOrString', 0],
    ['quantity', '0'],
    ['Inner', {a: ''}],
    ['Empty', {}],
    // Go writes these as null, which is never written here.
    ['time', undefined],
    ['any', undefined],
    ['list:string', undefined],
    ['map:string', undefined],
    ['oneOrList:Inner', undefined],
  ]

  it.each(zeros)('is written as the zero value of %s', (expression, zero) => {
    const want = zero === undefined ? {} : {f: zero}
    expect([read(expression, undefined), read(expression, null)]).toEqual([want, want])
  })

  it.each(zeros)('is left out as %s with ? or *', expression => {
    const read2 = (mark: string) => [read(expression + mark, undefined), read(expression + mark, null)]
    expect([read2('?'), read2('*')]).toEqual([
      [{}, {}],
      [{}, {}],
    ])
  })
})

describe('an empty field', () => {
  const cases: readonly [expression: string, empty: JsonValue][] = [
    ['string', ''],
    ['boolean', false],
    ['integer', 0],
    ['number', 0],
    ['list:string', []],
    ['map:string', {}],
  ]

  it.each(cases)('of %s is left out with ?, and kept with * or without either', (expression, empty) => {
    expect([read(`${expression}?`, empty), read(`${expression}*`, empty), read(expression, empty)]).toEqual([
      {},
      {f: empty},
      {f: empty},
    ])
  })
})

describe('a composite value', () => {
  const inner = {a: 'x', b: 1}
  const cases: readonly Case[] = [
    {as: 'list:string', given: ['a', ''], want: {f: ['a', '']}},
    {as: 'list:string', given: 'a', want: refusedAs('a list', 'a string')},
    {as: 'list:string', given: {0: 'a'}, want: refusedAs('a list', 'an object')},
    {as: 'list:string', given: ['a', 5], want: ['f.1 must be a string, not the number 5; quote it']},
    {as: 'list:string', given: [null], want: {f: ['']}},
    {as: 'list:any', given: [null, 1], want: {f: [null, 1]}},
    {as: 'list:integer', given: [null], want: ['f.0 must be a value, not null']},
    {as: 'list:Inner', given: [inner, {}], want: {f: [inner, {a: ''}]}},
    {as: 'list:Inner', given: [null], want: ['f.0 must be a value, not null']},
    {as: 'map:string', given: {k: 'v', n: null}, want: {f: {k: 'v', n: ''}}},
    {as: 'map:string', given: ['v'], want: refusedAs('a map', 'a list')},
    {as: 'map:string', given: {k: 5}, want: ['f.k must be a string, not the number 5; quote it']},
    {as: 'map:Inner', given: {k: inner}, want: {f: {k: inner}}},
    {as: 'map:Inner', given: {k: null}, want: ['f.k must be a value, not null']},
    {as: 'Inner', given: {b: 0, c: false}, want: {f: {a: '', c: false}}},
    {as: 'Inner', given: 'a', want: refusedAs('an object', 'a string')},
    {as: 'Inner', given: [], want: refusedAs('an object', 'a list')},
    {as: 'oneOrList:Inner', given: inner, want: {f: inner}},
    {as: 'oneOrList:Inner', given: [inner], want: {f: [inner]}},
    {as: 'oneOrList:Inner', given: 'a', want: refusedAs('an object', 'a string')},
    {as: 'oneOrBoolean:Inner', given: inner, want: {f: inner}},
    {as: 'oneOrBoolean:Inner', given: false, want: {f: false}},
    {as: 'oneOrBoolean:Inner', given: 'false', want: refusedAs('an object', 'a string')},
    {as: 'oneOrStrings:Inner', given: inner, want: {f: inner}},
    {as: 'oneOrStrings:Inner', given: ['a'], want: {f: ['a']}},
    {as: 'oneOrStrings:Inner', given: [{}], want: ['f.0 must be a string, not an object']},
    {as: 'map:oneOrStrings:Inner', given: {k: ['a'], l: inner}, want: {f: {k: ['a'], l: inner}}},
  ]

  it.each(cases)('as $as: $given', ({as, given, want}) => {
    expect(read(as, given)).toEqual(want)
  })

  it('keeps names of built-in properties', () => {
    const given = JSON.parse('{"__proto__": "a", "constructor": "b"}') as JsonObject
    const {value} = readAs('T', {T: {f: 'map:string'}}, {f: given}, 'strict')
    expect(JSON.stringify(value)).toBe('{"f":{"__proto__":"a","constructor":"b"}}')
  })
})

describe('conversion', () => {
  const cases: readonly [given: JsonValue, want: string][] = [
    [5, '5'],
    [-1.5, '-1.5'],
    [true, 'true'],
    [false, 'false'],
    [2n ** 63n, '9223372036854775808'],
    ['5', '5'],
  ]

  it.each(cases)('converts %p to a string', (given, want) => {
    expect([read('string', given, 'convert'), read('list:string', [given], 'convert')]).toEqual([
      {f: want},
      {f: [want]},
    ])
  })

  it('names the places', () => {
    const types = {T: {f: 'list:string', g: 'map:string', h: 'integer', i: 'any'}}
    const given = {f: ['a', 1], g: {b: true, c: 'd'}, h: 2, i: 3}
    const placesIn = (scalars: ScalarMode) => readAs('T', types, given, scalars).converted
    expect([placesIn('convert'), placesIn('strict')]).toEqual([
      [
        ['f', 1],
        ['g', 'b'],
      ],
      [],
    ])
  })

  it('rejects all other types', () => {
    expect([
      read('string', [], 'convert'),
      read('boolean', 'true', 'convert'),
      read('integer', '5', 'convert'),
    ]).toEqual([
      refusedAs('a string', 'a list'),
      refusedAs('true or false', 'a string'),
      refusedAs('an integer', 'a string'),
    ])
  })
})

describe('the names of fields', () => {
  const types = {T: {name: 'string', count: 'integer?', inner: 'T*'}}
  const find = (value: JsonValue) => {
    const {value: out, diagnostics} = readAs('T', types, value, 'strict')
    return {out, found: diagnostics.map(({path, kind}) => [path, kind])}
  }

  const cases: readonly {readonly reason: string; readonly given: JsonValue; readonly want: unknown}[] = [
    {
      reason: 'those that the type does not have drop out',
      given: {name: 'a', size: 1, inner: {name: 'b', depth: 2}},
      want: {
        out: {name: 'a', inner: {name: 'b'}},
        found: [
          [['size'], 'unknown-field'],
          [['inner', 'depth'], 'unknown-field'],
        ],
      },
    },
    {
      reason: 'case does not matter, and paths are as written',
      given: {NAME: 'a', Inner: {Count: 'x'}},
      want: {
        out: {name: 'a', inner: {name: ''}},
        found: [
          [['NAME'], 'field-case'],
          [['Inner'], 'field-case'],
          [['Inner', 'Count'], 'field-case'],
          [['Inner', 'Count'], 'wrong-type'],
        ],
      },
    },
    {
      reason: 'the exact one takes precedence in any position',
      given: {Name: 'a', name: 'b', NAME: 'c'},
      want: {
        out: {name: 'b'},
        found: [
          [['Name'], 'field-case'],
          [['NAME'], 'field-case'],
        ],
      },
    },
    {
      reason: 'the last one of several in another case counts',
      given: {Name: 'a', count: 1, NAME: 'c'},
      want: {
        out: {name: 'c', count: 1},
        found: [
          [['Name'], 'field-case'],
          [['NAME'], 'field-case'],
        ],
      },
    },
    {
      reason: 'members of every JavaScript object are not fields',
      given: JSON.parse('{"name": "a", "constructor": 1, "__proto__": {"count": 2}}') as JsonObject,
      want: {
        out: {name: 'a'},
        found: [
          [['constructor'], 'unknown-field'],
          [['__proto__'], 'unknown-field'],
        ],
      },
    },
    {reason: 'nothing has none', given: null, want: {out: {name: ''}, found: []}},
    {reason: 'a list has none', given: [], want: {out: {name: ''}, found: [[[], 'wrong-type']]}},
  ]

  it.each(cases)('$reason', ({given, want}) => {
    expect(find(given)).toEqual(want)
  })

  it('are written in the order of the type', () => {
    expect(Object.keys(find({inner: null, count: 1, name: 'a'}).out)).toEqual(['name', 'count'])
  })
})

describe('what does not change', () => {
  const types = {Outer: {f: 'Inner', l: 'list:Inner', m: 'map:Inner'}, Inner: {a: 'string?', b: 'integer?'}}
  const read = (given: JsonObject) => readAs('Outer', types, given, 'convert').value

  it('is the same object', () => {
    const given = {f: {a: 'x', b: 1}, l: [{a: 'x'}], m: {one: {b: 1}}}
    expect(read(given)).toBe(given)
  })

  it.each<{reason: string; f: JsonObject; want: JsonObject}>([
    {reason: 'a converted scalar', f: {a: 1, b: 1}, want: {a: '1', b: 1}},
    {reason: 'an empty field', f: {a: '', b: 1}, want: {b: 1}},
    {reason: 'a null', f: {a: 'x', b: null}, want: {a: 'x'}},
    {reason: 'another case', f: {A: 'x', b: 1}, want: {a: 'x', b: 1}},
    {reason: 'an unknown field', f: {a: 'x', b: 1, c: 1}, want: {a: 'x', b: 1}},
    {reason: 'another order', f: {b: 1, a: 'x'}, want: {a: 'x', b: 1}},
  ])('$reason is a change of the parts around it only', ({f, want}) => {
    const given = {f, l: [{a: 'x'}], m: {one: {b: 1}, two: f}}
    const out = read(given)
    expect(JSON.stringify(out)).toBe(JSON.stringify({f: want, l: given.l, m: {one: {b: 1}, two: want}}))
    expect([out.l === given.l, (out.m as JsonObject).one === given.m.one]).toEqual([true, true])
    expect(given.f).toBe(f)
  })
})
