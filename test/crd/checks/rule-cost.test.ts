import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {checkCrd} from '../../../src/crd/checks/check-crd.js'
import {COST_CASES, costCrd} from './cost-cases.js'

describe('rules whose patterns cost more than a server allows', () => {
  const rules = schemaRules()

  it.each(COST_CASES)('are reported of $name: $want', ({in: schema, want}) => {
    const found = checkCrd(costCrd(schema), rules).map(({rule, path}) => `${rule} ${path}`)
    expect(found).toEqual(want === undefined ? [] : [`validation-rule ${want}`])
  })

  it('names the text and what to do', () => {
    const [first] = checkCrd(
      costCrd(COST_CASES.find(({name}) => name.startsWith('a field of an object'))!.in),
      rules,
    )
    expect(first?.message).toBe(
      'matching self.b with "^a$" costs more than a server allows: set maxLength of the text, or maxItems or maxProperties around it',
    )
  })
})
