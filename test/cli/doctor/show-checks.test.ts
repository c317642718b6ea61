import {expect, it} from '@jest/globals'
import {checksOn} from '../../../src/cli/doctor/show-checks.js'

it('suggests commands of doctor on the cluster that it checked', () => {
  const check = {id: 'crd', state: 'warning', message: 'left behind'} as const
  const suggestion = 'kubectl delete customresourcedefinition a.example.org'
  expect(checksOn([check, {...check, suggestion}], ['doctor', '--context', 'b'])).toEqual([
    check,
    {...check, suggestion: `${suggestion} --context b`},
  ])
})
