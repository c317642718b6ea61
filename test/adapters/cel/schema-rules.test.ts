import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {COMPILED, REJECTED, SCHEMA} from './rule-tables.js'

const NODE = {schema: SCHEMA, isResource: true, isCorrelated: true}

describe('rules of schemas', () => {
  const rules = schemaRules()

  it.each(COMPILED)('%s is compiled', rule => {
    expect(rules.compile({rule}, NODE)).toEqual([])
  })

  it.each(REJECTED)('%s is rejected', rule => {
    const faults = rules.compile({rule}, NODE)
    expect(faults.map(({field}) => field)).toEqual(['rule'])
  })

  it('names the field that does not exist', () => {
    expect(rules.compile({rule: 'has(self.other)'}, NODE)).toEqual([
      {field: 'rule', message: 'no such key: other'},
    ])
  })

  it('requires a text as messageExpression', () => {
    const rule = {rule: 'self.size > 1', messageExpression: 'self.size'}
    expect(rules.compile(rule, NODE).map(({field}) => field)).toEqual(['messageExpression'])
  })

  it('rejects the previous value below a list whose items have no keys', () => {
    expect(rules.compile({rule: 'self == oldSelf'}, {...NODE, isCorrelated: false})).toHaveLength(1)
  })

  it.each<{readonly rule: string; readonly value: JsonObject; readonly want: boolean | undefined}>([
    {rule: 'self.size > 1', value: {size: 2}, want: true},
    {rule: 'self.size > 1', value: {size: 1}, want: false},
    {rule: '!has(self.name)', value: {name: 'a'}, want: false},
    {rule: 'self.name == self.name.lowerAscii()', value: {name: 'A'}, want: false},
    {rule: 'self == oldSelf', value: {}, want: undefined},
    {rule: 'self.other == 1', value: {}, want: undefined},
  ])('$rule of $value is $want', ({rule, value, want}) => {
    expect(rules.isSatisfied({rule}, NODE, value)).toBe(want)
  })
})
