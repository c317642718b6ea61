import {describe, expect, it} from '@jest/globals'
import {schemaRules} from '../../../src/adapters/cel/schema-rules.js'
import {checkObject} from '../../../src/crd/instances/check-object.js'
import {RULE_CASES, ruleObject, ruleSchema} from './rule-cases.js'

const rules = schemaRules()

describe('rules in CEL of new objects', () => {
  it.each(RULE_CASES.map((one, index) => ({...one, index})))(
    '$rule of $in: $want',
    ({index, want, isUnread = false}) => {
      const undecided: string[] = []
      const judge = {rules, undecided: (keyword: string) => undecided.push(keyword)}
      const errors = checkObject(ruleObject(index), ruleSchema(index), judge)
      const verdict = {isAccepted: errors.length === 0, isUnread: undecided.length > 0}
      expect(verdict).toEqual({isAccepted: isUnread || want, isUnread})
    },
  )
})
