import {describe, expect, it} from '@jest/globals'
import {readBlockStyle} from '../../src/yaml/block-reader.js'
import {areDisputed, disputedScalars, MAX_DISPUTED} from '../../src/yaml/disputed-scalars.js'
import {readYaml} from '../../src/yaml/read-yaml.js'
import {FLOATS, INTEGERS, STRINGS, WORDS} from './scalar-table.js'

function disputed(text: string): ReturnType<typeof disputedScalars> {
  return disputedScalars(Buffer.from(text), 'example.yaml')
}

describe('a scalar that YAML readers read differently', () => {
  it.each([
    {in: 'yes', here: 'true', elsewhere: 'text to readers of YAML 1.2'},
    {in: 'Off', here: 'false', elsewhere: 'text to readers of YAML 1.2'},
    {in: 'N', here: 'false', elsewhere: 'text to readers of YAML 1.2'},
    {in: '0777', here: 'the number 511', elsewhere: 'the number 777 to readers of YAML 1.2'},
    {in: '0b11', here: 'the number 3', elsewhere: 'text to readers of YAML 1.2'},
    {in: '1_000', here: 'the number 1000', elsewhere: 'text to readers of YAML 1.2'},
    {in: '-0x10', here: 'the number -16', elsewhere: 'text to readers of YAML 1.2'},
    {in: '2020-05-01', here: 'text', elsewhere: 'a date to readers of YAML 1.1'},
    {in: '2020-05-01T10:00:00Z', here: 'text', elsewhere: 'a date to readers of YAML 1.1'},
    {in: '12:30', here: 'text', elsewhere: 'the number 750 to readers of YAML 1.1'},
    {in: '-1:30:00', here: 'text', elsewhere: 'the number -5400 to readers of YAML 1.1'},
  ])('$in is $here here, and $elsewhere', ({in: text, here, elsewhere}) => {
    expect(disputed(`a: ${text}\n`)).toEqual([{path: ['a'], line: 1, text, isKey: false, here, elsewhere}])
  })

  it.each([
    {name: 'true and false', in: '[true, False, TRUE]'},
    {name: 'null', in: '[~, null, Null, ]'},
    {name: 'numbers in the ways of all', in: '[0, -1, 1.5, 1e3, .5, 0x1F, 0o17, 12345678901234567890]'},
    {name: 'zeros before digits that are not octal', in: '[08, 09]'},
    {name: 'infinities', in: '[.inf, -.Inf, .nan]'},
    {name: 'words', in: '[yesterday, nope, offer, v1beta1, 1.2.3, 10m, 12:99, 8080:80]'},
    {name: 'quoted scalars', in: '["yes", \'0777\', "2020-05-01"]'},
    {name: 'tagged scalars', in: '[!!str yes, !!int 0777]'},
    {name: 'blocks', in: '|\n  yes\n'},
  ])('does not include $name', ({in: text}) => {
    expect(disputed(`a: ${text}\n`)).toEqual([])
  })

  it('is among the texts that the reader of plain block style notes', () => {
    const texts = [...[...WORDS, ...INTEGERS, ...FLOATS].map(([text]) => text), ...STRINGS]
    const files = texts.flatMap(text => [`a: ${text}\n`, `- ${text}\n`, `${text}: a\n`, `a: ${text}\n  b\n`])
    const noted = files.flatMap(file => {
      const read = readBlockStyle(file)
      return read === undefined ? [] : [{file, isDisputed: areDisputed(read.ambiguous)}]
    })
    expect(noted.length).toBeGreaterThan(2 * texts.length)
    expect(noted).toEqual(noted.map(({file}) => ({file, isDisputed: disputed(file).length > 0})))
  })

  it('is found in keys, lists, flows, behind aliases and in later documents', () => {
    const text = `# comment
a:
- b: &anchor {c: [1, yes]}
  d: *anchor
- on: no
---
"q":
  ? y
  : [x, 0b1]
`
    expect(disputed(text).map(({path, line, text: scalar, isKey}) => ({path, line, scalar, isKey}))).toEqual([
      {path: ['a', 0, 'b', 'c', 1], line: 3, scalar: 'yes', isKey: false},
      {path: ['a', 1, 'on'], line: 5, scalar: 'on', isKey: true},
      {path: ['a', 1, 'on'], line: 5, scalar: 'no', isKey: false},
      {path: ['q', 'y'], line: 8, scalar: 'y', isKey: true},
      {path: ['q', 'y', 1], line: 9, scalar: '0b1', isKey: false},
    ])
  })

  it('is reported with its value', () => {
    const text = 'a: yes\nb: 0777\nc: 1_0\nd: 2020-05-01\n'
    expect(readYaml(Buffer.from(text), 'example.yaml')[0]?.value).toEqual({
      a: true,
      b: 511,
      c: 10,
      d: '2020-05-01',
    })
  })

  it('is reported a hundred times at most', () => {
    expect(disputed('- yes\n'.repeat(MAX_DISPUTED + 1))).toHaveLength(MAX_DISPUTED)
  })
})
