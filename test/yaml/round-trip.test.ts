import {describe, expect, it} from '@jest/globals'
import fc from 'fast-check'
import {CORE_SCHEMA, loadAll, YAML11_SCHEMA} from 'js-yaml'
import type {JsonValue} from '../../src/yaml/json-value.js'
import {writeJson, writeYaml} from '../../src/yaml/write-yaml.js'
import {PIECES} from './pieces.js'
import {refusal, values} from './yaml-text.js'

const text = fc.oneof(
  {weight: 3, arbitrary: fc.array(fc.constantFrom(...PIECES), {maxLength: 6}).map(parts => parts.join(''))},
  fc.string({unit: 'binary'}),
  fc.string({unit: 'grapheme'}),
)
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0),
  fc.bigInt({min: -(2n ** 63n), max: 2n ** 64n - 1n}).filter(value => !Number.isSafeInteger(Number(value))),
)
const {value: json} = fc.letrec<{value: JsonValue}>(tie => ({
  value: fc.oneof(
    {maxDepth: 4, depthSize: 'small'},
    text,
    number,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), {maxLength: 4}),
    fc.dictionary(text, tie('value'), {maxKeys: 4, noNullPrototype: true}),
  ),
}))
const document = json.filter(value => value !== null)

const RUNS = {numRuns: 200}

describe('a written value', () => {
  it('is read back as the same value from YAML', () => {
    fc.assert(
      fc.property(fc.array(document, {maxLength: 4}), given => {
        expect(values(writeYaml(given))).toStrictEqual(given)
      }),
      RUNS,
    )
  })

  it('is read back as the same value from JSON', () => {
    fc.assert(
      fc.property(document, given => {
        expect(values(writeJson(given))).toStrictEqual([given])
      }),
      RUNS,
    )
  })

  it('is valid JSON', () => {
    fc.assert(
      fc.property(json, given => {
        const asDoubles = JSON.stringify(given, (_, value: unknown) =>
          typeof value === 'bigint' ? Number(value) : value,
        )
        expect(JSON.parse(writeJson(given))).toStrictEqual(JSON.parse(asDoubles))
      }),
      RUNS,
    )
  })

  it.each([
    {name: 'YAML 1.2', schema: CORE_SCHEMA},
    {name: 'YAML 1.1', schema: YAML11_SCHEMA},
  ])('has the same strings for a reader of $name', ({schema}) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), {minLength: 1, maxLength: 5}), pairs => {
        const given = {strings: pairs.flat(), ...Object.fromEntries(pairs)}
        expect(loadAll(writeYaml([given]), {schema})).toStrictEqual([given])
      }),
      RUNS,
    )
  })

  it('is the same for any order of the keys', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, json), {maxLength: 6}), pairs => {
        const given = Object.fromEntries(pairs)
        const turned = Object.fromEntries(Object.entries(given).reverse())
        expect([writeYaml([turned]), writeJson(turned)]).toStrictEqual([writeYaml([given]), writeJson(given)])
      }),
    )
  })
})

describe('any bytes', () => {
  it('are read as a value or one error', () => {
    const soup = fc.array(fc.constantFrom(...PIECES, 'a: ', '- ', '[\n', '&x ', '*x ', '!!int '), {
      maxLength: 30,
    })
    const bytes = fc.oneof(
      soup.map(parts => Buffer.from(parts.join(''))),
      fc.uint8Array({maxLength: 40}),
    )
    fc.assert(
      fc.property(bytes, given => {
        expect(refusal(given)).toMatch(
          /^read$|^yaml-(syntax|encoding|limit|number|alias-cycle|key):[1-9]\d*$/,
        )
      }),
      RUNS,
    )
  })
})
