import {describe, expect, it} from '@jest/globals'
import {checkCrd} from '../../../src/crd/checks/check-crd.js'
import {v1Crd} from '../convert/v1beta1-crd.js'
import {DEFAULT_CASES} from './default-cases.js'

describe('defaults', () => {
  it.each(DEFAULT_CASES)('$name: $reason', ({in: crd, want}) => {
    expect(checkCrd(crd).map(({path}) => path)).toEqual(want)
  })

  it.each([
    {name: 'a group', pattern: '^(a|b)+$'},
    {name: 'a class of Go', pattern: '^[[:alpha:]]+$'},
    {name: 'an end of Go', pattern: 'a\\z'},
    {name: 'many repeats', pattern: '^a*a*a*a*$'},
    {name: 'a repeat that JavaScript rejects', pattern: '^*a'},
    {name: 'a bracket in a class', pattern: '^[]]$'},
  ])('are not checked against $name: JavaScript reads it differently or too slowly', ({pattern}) => {
    const crd = v1Crd({type: 'object', properties: {a: {type: 'string', pattern, default: '0'}}})
    expect(checkCrd(crd)).toEqual([])
  })

  it('are not checked against a schema that is not structural, as in the server', () => {
    const crd = v1Crd({type: 'object', properties: {a: {type: 'string', default: 5}, b: {}}})
    expect(checkCrd(crd).map(({rule}) => rule)).toEqual(['type'])
  })

  it('are reported with their lines', () => {
    const schema = {type: 'array', items: {type: 'string'}, default: ['x', 5]}
    const [problem] = checkCrd(v1Crd({type: 'object', properties: {a: schema}}))
    const holder = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'a']
    expect(problem?.place).toEqual([...holder, 'default', 1])
  })
})
