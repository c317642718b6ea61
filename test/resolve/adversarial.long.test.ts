import {describe, expect, it} from '@jest/globals'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import {bigWorld, diamonds, pigeons, tangledWildcards, wildcards} from './adversarial-worlds.js'
import {bruteForce} from './oracle.js'
import {selected, input, solved, version} from './world.js'

describe('adversarial worlds', () => {
  it.each([
    {
      name: 'pigeons, 7 into 6',
      reason: 'no two packages can own the same CRD',
      in: pigeons(7, 6),
      want: 'unresolvable',
      most: 5000,
    },
    {
      name: 'pigeons, 6 into 6',
      reason: 'each fits into a hole of its own',
      in: pigeons(6, 6),
      want: 6,
      most: 5000,
    },
    {
      name: 'diamonds of depth 12 with 20 versions',
      reason:
        'each layer requires both packages of the next in its own version, and only the oldest version of the last works',
      in: diamonds(12, 20),
      want: 24,
      most: 6000,
    },
    {
      name: 'diamonds of depth 12 with 20 versions without an answer',
      reason: 'the last is broken in every version',
      in: diamonds(12, 20, {isBroken: true}),
      want: 'unresolvable',
      most: 6000,
    },
    {
      name: '300 wildcards over 40 groups',
      reason: 'each group has one owner',
      in: wildcards(300, 40),
      want: 41,
      most: 100,
    },
    {
      name: '300 wildcards over 40 groups without an answer',
      reason: 'one of them requires a version that no package serves',
      in: wildcards(300, 40, {isBroken: true}),
      want: 'unresolvable',
      most: 100,
    },
    {
      name: '300 wildcards of 30 packages over 40 groups',
      reason: 'one version of each package is compatible with the others',
      in: tangledWildcards(),
      want: 70,
      most: 1000,
    },
    {
      name: '300 wildcards of 30 packages over 40 groups without an answer',
      reason: 'the first and the last are incompatible',
      in: tangledWildcards({isBroken: true}),
      want: 'unresolvable',
      most: 1000,
    },
    {
      name: 'a closure of 200',
      reason: '300 packages of 30 versions, whose newest versions are incompatible',
      in: bigWorld(300, 30, 200),
      want: 200,
      most: 6000,
    },
  ])('$name: $reason', ({in: asked, want, most}) => {
    const result = solved(asked)
    const answer = selected(result)
    expect(typeof answer === 'string' ? answer : answer.length).toBe(want)
    expect(result.steps).toBeLessThan(most)
  })

  it.each([
    {name: 'diamonds', in: diamonds(12, 20)},
    {name: 'wildcards', in: tangledWildcards()},
    {name: 'a closure', in: bigWorld(300, 30, 200)},
  ])('$name: has a solution that a greedy choice does not find', ({in: asked}) => {
    expect(bruteForce(asked, {isGreedy: true})).toBeUndefined()
    expect(solved(asked).kind).toBe('resolved')
  })

  it('a chain of 3,000 packages does not overflow the stack', () => {
    const links = Array.from({length: 3000}, (_, index) =>
      version(`p${index}:v1.0.0`, {
        owns: [`k.g${index}.org`],
        requires: index === 2999 ? [] : [`k.g${index + 1}.org`],
      }),
    )
    expect(selected(solved(input(['p0'], links)))).toHaveLength(3000)
  })

  it('report that the time limit is reached', () => {
    const budget = {isSpent: (steps: number) => steps > 50}
    const result = solved(pigeons(7, 6), {budget})
    expect({answer: selected(result), steps: result.steps}).toEqual({answer: 'timeout', steps: 51})
  })

  it('report the same during the search for the fewest mismatches', () => {
    const broken: SolverInput = input(
      ['a'],
      [
        version('a:v1.0.0', {requires: ['k.b.org/v2', 'k.c.org/v2']}),
        version('b:v1.0.0', {owns: ['k.b.org/v1']}),
        version('c:v1.0.0', {owns: ['k.c.org/v1']}),
      ],
    )
    const strict = solved(broken).steps
    const budget = {isSpent: (steps: number) => steps > strict + 1}
    expect(selected(solved(broken, {budget, allowVersionMismatch: true}))).toBe('timeout')
    expect(selected(solved(broken, {allowVersionMismatch: true}))).toEqual([
      'a:v1.0.0',
      'b:v1.0.0',
      'c:v1.0.0',
    ])
  })
})

describe('independent conflicts', () => {
  it('are each solved with the fewest mismatches', () => {
    const pairs = Array.from({length: 24}, (_, index) => [
      version(`a${index}:v1.0.0`, {requires: [`k.b${index}.org/v2`, `k.b${index}.org/v3`]}),
      version(`b${index}:v1.0.0`, {owns: [`k.b${index}.org/v2`]}),
      version(`b${index}:v2.0.0`, {owns: [`k.b${index}.org/v3`]}),
    ])
    const asked = input(
      pairs.map((_, index) => `a${index}`),
      pairs.flat(),
    )
    const result = solved(asked, {allowVersionMismatch: true})
    expect(selected(result)).toHaveLength(48)
    expect(result.steps).toBeLessThan(20_000)
  })
})
