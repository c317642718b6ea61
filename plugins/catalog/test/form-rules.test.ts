import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {runInNewContext} from 'node:vm'
import {jsonData} from '../src/html.js'

interface FormRules {
  readonly problemsOf: (schema: unknown, value: unknown) => readonly {readonly message: string}[]
  readonly yamlOf: (value: unknown) => string
  readonly parsed: (type: string, text: string) => unknown
  readonly isCheckedLater: (pattern: string) => boolean
  readonly readData: (text: string) => unknown
  readonly jsonOf: (value: unknown) => string
}

/** The very script of pages. */
function formRules(): FormRules {
  const context: {catalogForm?: FormRules; Map: typeof Map} = {Map}
  runInNewContext(readFileSync(join(import.meta.dirname, '../site/form-rules.js'), 'utf8'), context)
  return context.catalogForm!
}

const {problemsOf, yamlOf, parsed, isCheckedLater, readData, jsonOf} = formRules()

const TYPED: readonly {readonly type: string; readonly text: string; readonly want: string}[] = [
  {type: 'integer', text: '9007199254740993', want: '9007199254740993'},
  {type: 'integer', text: '-9223372036854775808', want: '-9223372036854775808'},
  {type: 'integer', text: '007', want: '"007"'},
  {type: 'number', text: '0.1', want: '0.1'},
  {type: 'number', text: '1.50', want: '1.5'},
  {type: 'number', text: '1e400', want: '1e400'},
  {type: 'int-or-string', text: '80', want: '80'},
  {type: 'int-or-string', text: '0080', want: '"0080"'},
  {type: 'any', text: '[9007199254740993, "a", {"n1": -0.5}]', want: '\n- 9007199254740993\n- a\n- n1: -0.5'},
  {type: 'any', text: '{"2": true, "1": "\\"1e400"}', want: '\n  "2": true\n  "1": "\\"1e400"'},
]

describe('a form', () => {
  it.each(TYPED)('writes $text of type $type without a change', ({type, text, want}) => {
    const yaml = yamlOf(new Map([['a', parsed(type, text)]]))
    expect(yaml).toBe(want.startsWith('\n') ? `a:${want}\n` : `a: ${want}\n`)
  })

  it.each(['1e400', '9223372036854775808', '0.12345678901234567890'])('reports %s', text => {
    expect(problemsOf({type: 'number'}, parsed('number', text))).toEqual([
      expect.objectContaining({message: `${text} cannot be stored exactly`}),
    ])
  })

  it('knows the integers of 64 bits of schemas, of which some are equal as numbers', () => {
    const {markup} = jsonData('a', {
      type: 'integer',
      enum: [9_223_372_036_854_775_807n, 5],
      default: 9_007_199_254_740_993n,
    })
    const schema = readData(markup.replace(/<[^>]*>/g, '').replace(/\\u003[ce]/g, ''))
    expect(jsonOf(schema)).toBe(
      '{"type":"integer","enum":[9223372036854775807,5],"default":9007199254740993}',
    )
    const messages = (text: string) => problemsOf(schema, parsed('integer', text)).map(({message}) => message)
    expect(messages('9223372036854775807')).toEqual([])
    expect(messages('5')).toEqual([])
    expect(messages('9223372036854775806')).toEqual(['must be one of 9223372036854775807, 5'])
    const step = readData('{"type":"integer","multipleOf":{"$integer":"9007199254740993"}}')
    expect(problemsOf(step, parsed('integer', '18014398509481986'))).toEqual([])
    expect(problemsOf(step, parsed('integer', '3'))).toHaveLength(1)
  })

  it.each([
    '{"$integer":"x"}',
    '{"$integer":"1","a":2}',
    '{"$integer":{"toString":1}}',
    '{"__proto__":{"$integer":"1"}}',
  ])('takes %s for no integer', text => {
    expect(typeof readData(text)).toBe('object')
  })

  it.each([
    {value: '2', multipleOf: 0.5, isAccepted: false},
    {value: '1.5', multipleOf: 0.5, isAccepted: true},
    {value: '3', multipleOf: 1.5, isAccepted: true},
    {value: '3', multipleOf: 2, isAccepted: false},
  ])(
    'judges $value as a multiple of $multipleOf as an API server does',
    ({value, multipleOf, isAccepted}) => {
      expect(problemsOf({type: 'number', multipleOf}, parsed('number', value)).length === 0).toBe(isAccepted)
    },
  )

  it('compares integers of 64 bits with limits', () => {
    const schema = {type: 'integer', maximum: 9_007_199_254_740_992, multipleOf: 2}
    const messages = problemsOf(schema, parsed('integer', '9007199254740993')).map(({message}) => message)
    expect(messages).toEqual(['must be at most 9007199254740992', 'must be a multiple of 2'])
  })

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^([a-z]+)*$',
    '((a*)b?)+',
    '^(-[-a]*)*$',
    '(\\.[+-9]*)+',
    '(a?a)+',
    '^(\\w+\\s?)*$',
  ])('leaves %s to the API server', pattern => {
    expect(isCheckedLater(pattern)).toBe(true)
    expect(problemsOf({type: 'string', pattern}, `${'a'.repeat(40)}!`)).toEqual([])
  })

  it.each([
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    '^[A-Za-z]+$',
    '^(abc)+$',
    '^([a-z]+)?$',
    '^\\d+(\\.\\d+)*$',
    '^[(*)]+$',
  ])('checks %s', pattern => {
    expect(isCheckedLater(pattern)).toBe(false)
    expect(problemsOf({type: 'string', pattern}, '%%')).toHaveLength(1)
  })
})
