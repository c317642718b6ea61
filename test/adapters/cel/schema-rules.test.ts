import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {ruleTypes} from '../../../src/crd/rule-types.js'
import type {JsonObject} from '../../../src/yaml/json-value.js'
import {COMPILED, REJECTED, SCHEMA} from './rule-tables.js'

const rules = schemaRules()

function faultOf(text: string, type: 'bool' | 'string' = 'bool', isCorrelated = true): string | undefined {
  const types = ruleTypes(SCHEMA, true, text)
  return types && rules.faultOf({text, type, isCorrelated, ...types})
}

describe('rules of schemas', () => {
  it.each(COMPILED)('%s is compiled', rule => {
    expect(faultOf(rule)).toBeUndefined()
  })

  it.each(REJECTED)('%s is rejected', rule => {
    expect(faultOf(rule)).toEqual(expect.any(String))
  })

  it('name the field that does not exist', () => {
    expect(faultOf('has(self.other)')).toBe('the schema has no field other')
  })

  it.each([
    ['has(self)', 'has() requires a field, such as has(self.name)'],
    ['has(self["size"])', 'has() requires a field, such as has(self.name)'],
    ['size(self)', "found no matching overload for 'size(object)'"],
  ])('say why %s is rejected', (rule, want) => {
    expect(faultOf(rule)).toBe(want)
  })

  it('require a text as messageExpression', () => {
    expect(faultOf('self.size', 'string')).toBe('it must be of type string, not int')
  })

  it('cannot use the previous value below a list whose items have no keys', () => {
    expect(faultOf('self == oldSelf', 'bool', false)).toEqual(expect.any(String))
  })

  it.each<{readonly rule: string; readonly self: JsonObject; readonly want: boolean | undefined}>([
    {rule: 'self.size > 1', self: {size: 2}, want: true},
    {rule: 'self.size > 1', self: {size: 1}, want: false},
    {rule: '!has(self.name)', self: {name: 'a'}, want: false},
    {rule: 'self.name == self.name.lowerAscii()', self: {name: 'A'}, want: false},
    {rule: 'self.other == 1', self: {}, want: undefined},
  ])('$rule of $self is $want', ({rule, self, want}) => {
    expect(rules.resultOf(rule, self)).toBe(want)
  })
})
