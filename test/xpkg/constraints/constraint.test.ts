import {describe, expect, it} from '@jest/globals'
import {CONSTRAINT_RULES, type ConstraintRules} from '../../../src/xpkg/constraints/constraint-rules.js'
import {readConstraint, satisfies} from '../../../src/xpkg/constraints/constraint.js'
import {candidateVersion, comparePrecedence, readVersion} from '../../../src/xpkg/constraints/version.js'

/** The tags that a constraint accepts, or that it is not one. */
function accepted(constraint: string, tags: readonly string[], rules: ConstraintRules) {
  const read = readConstraint(constraint, rules)
  return read === undefined
    ? 'not a constraint'
    : tags.filter(tag => {
        const version = readVersion(tag, rules)
        return version !== undefined && satisfies(read, version)
      })
}

describe('a constraint', () => {
  it.each<{
    name: string
    in: string
    tags: readonly string[]
    want: Readonly<Record<ConstraintRules, readonly string[] | string>>
  }>([
    {
      name: 'of two numbers is one version, later a range',
      in: '1.2',
      tags: ['v1.2.0', 'v1.2.4', 'v1.3.0'],
      want: {v1: ['v1.2.0'], v3: ['v1.2.0', 'v1.2.4']},
    },
    {
      name: 'of one number is a range',
      in: 'v1',
      tags: ['v0.9.0', 'v1.0.0', 'v1.9.9', 'v2.0.0'],
      want: {v1: ['v1.0.0', 'v1.9.9'], v3: ['v1.0.0', 'v1.9.9']},
    },
    {
      name: 'below a partial version compares numbers one by one, later versions',
      in: '<2',
      tags: ['v1.10.0', 'v2.5.0', 'v3.0.0'],
      want: {v1: ['v1.10.0', 'v2.5.0'], v3: ['v1.10.0']},
    },
    {
      name: 'above a partial version',
      in: '>1',
      tags: ['v1.0.0', 'v1.0.1', 'v2.0.0'],
      want: {v1: ['v1.0.1', 'v2.0.0'], v3: ['v2.0.0']},
    },
    {
      name: 'with a caret below 1.0.0',
      in: '^0.1.0',
      tags: ['v0.1.5', 'v0.9.0', 'v1.0.0'],
      want: {v1: ['v0.1.5', 'v0.9.0'], v3: ['v0.1.5']},
    },
    {
      name: 'with a space between conditions',
      in: '>=1.0.0 <2.0.0',
      tags: ['v1.5.0', 'v2.0.0'],
      want: {v1: 'not a constraint', v3: ['v1.5.0']},
    },
    {
      name: 'with a comma between conditions',
      in: '>=1.0.0,<2.0.0',
      tags: ['v1.5.0', 'v2.0.0'],
      want: {v1: ['v1.5.0'], v3: ['v1.5.0']},
    },
    {
      name: 'with a prerelease in one condition',
      in: '>=1.0.0-0, <2.0.0',
      tags: ['v1.10.0', 'v2.0.0-rc.1'],
      want: {v1: ['v1.10.0'], v3: ['v1.10.0', 'v2.0.0-rc.1']},
    },
    {
      name: 'that excludes one version',
      in: '!=1.2.3',
      tags: ['v1.2.3', 'v1.2.4', 'v1.2.4-rc.1'],
      want: {v1: ['v1.2.4', 'v1.2.4-rc.1'], v3: ['v1.2.4']},
    },
    {
      name: 'with alternatives and a range',
      in: '1.0.0 - 1.1.0 || ^3.0.0',
      tags: ['v1.1.0', 'v1.2.0', 'v3.1.0'],
      want: {v1: ['v1.1.0', 'v3.1.0'], v3: ['v1.1.0', 'v3.1.0']},
    },
    {name: 'that is empty', in: '', tags: [], want: {v1: 'not a constraint', v3: 'not a constraint'}},
    {name: 'latest', in: 'latest', tags: [], want: {v1: 'not a constraint', v3: 'not a constraint'}},
    {
      name: 'longer than a thousand characters',
      in: '1.0.0'.padEnd(1001),
      tags: [],
      want: {v1: 'not a constraint', v3: 'not a constraint'},
    },
  ])('$name', ({in: constraint, tags, want}) => {
    for (const rules of CONSTRAINT_RULES)
      expect({rules, accepted: accepted(constraint, tags, rules)}).toEqual({rules, accepted: want[rules]})
  })

  it.each([
    {name: 'white space', in: '1'.padEnd(999) + '!'},
    {name: 'conditions with spaces between them', in: '1  '.repeat(330) + '!'},
    {name: 'digits that could begin a range', in: '1'.repeat(990) + ' -'},
  ])('of hostile length is read at once: $name', ({in: constraint}) => {
    const start = performance.now()
    for (const rules of CONSTRAINT_RULES) expect(readConstraint(constraint, rules)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe('a tag', () => {
  it.each([
    {in: 'v1.2.3', want: true},
    {in: '1.2.3-rc.1+build', want: true},
    {in: 'v1.2', want: false},
    {in: 'v1', want: false},
    {in: 'latest', want: false},
    {in: 'v01.2.3', want: false},
    {in: 'V1.2.3', want: false},
  ])('$in is a candidate: $want', ({in: tag, want}) => {
    for (const rules of CONSTRAINT_RULES) expect(candidateVersion(tag, rules) !== undefined).toBe(want)
  })

  it('with a leading zero in its prerelease is a candidate of older cores only', () => {
    expect(CONSTRAINT_RULES.map(rules => candidateVersion('v1.2.3-01', rules) !== undefined)).toEqual([
      true,
      false,
    ])
  })

  it('is ordered as semver orders versions', () => {
    const ordered = [
      '1.0.0-1',
      '1.0.0-9',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0',
      '1.0.1',
      '1.10.0',
    ]
    const versions = ordered.map(tag => ({tag, version: candidateVersion(tag, 'v3')!}))
    const sorted = [...versions].reverse().sort((a, b) => comparePrecedence(a.version, b.version))
    expect(sorted.map(({tag}) => tag)).toEqual(ordered)
  })
})
