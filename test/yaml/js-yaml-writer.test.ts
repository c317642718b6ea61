import {describe, expect, it} from '@jest/globals'
import {writeYaml} from '../../src/yaml/write-yaml.js'
import {random} from '../shuffled.js'
import {generatedValue} from './generated-value.js'
import {writeWithJsYaml} from './js-yaml-writer.js'
import {FLOATS, INTEGERS, KEYS, STRINGS, WORDS} from './scalar-table.js'

const scalars = [...[...WORDS, ...INTEGERS, ...FLOATS, ...KEYS].map(([text]) => text), ...STRINGS]

describe('what is written is what js-yaml writes', () => {
  it.each([...new Set(scalars)])('for the text %j', text => {
    const value = [
      text,
      {[text]: {[text]: [text, [text]]}},
      `${text}\n`,
      ` ${text}\n\n`,
      {[`${text}\n`]: [text]},
    ]
    expect(writeYaml([text, value, {[text]: value}])).toBe(writeWithJsYaml([text, value, {[text]: value}]))
  })

  it('for each character, alone and beside others', () => {
    const codes = [...Array(0x2100).keys(), 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x1fffe, 0x10ffff]
    for (const character of codes.map(code => String.fromCodePoint(code))) {
      const values = [character, `a${character}`, `${character}a`, `a ${character} b`, `a\n${character}\n`]
      expect(writeYaml([values, {[character]: 1}])).toBe(writeWithJsYaml([values, {[character]: 1}]))
    }
  })

  it('for generated documents', () => {
    const next = random(1)
    for (let count = 0; count < 3000; count++) {
      const value = generatedValue(next)
      expect(writeYaml([value])).toBe(writeWithJsYaml([value]))
    }
  })
})
