import {describe, expect, it} from '@jest/globals'
import {firstOwners} from '../../src/resolve/first-owners.js'
import type {SolverInput} from '../../src/resolve/solver-input.js'
import {input, solved, version} from './world.js'

const WORLD = [
  version('p/r:v1.0.0', {owns: ['rs.r.org']}),
  version('p/r:v1.1.0', {owns: ['rs.r.org', 'xs.g.org']}),
  version('p/c:v1.0.0', {owns: ['cs.c.org'], requires: ['xs.g.org']}),
  version('p/b:v1.0.0', {owns: ['xs.g.org']}),
]
const locked = (...references: string[]) =>
  references.map(text => {
    const [identity = '', tag = ''] = text.split(':')
    return {identity, tag, because: 'locked', isUpgraded: true} as const
  })

const changes = (roots: readonly string[], more: Partial<SolverInput>) => {
  const result = solved(input(roots, WORLD, more))
  if (result.kind === 'rejected') throw new Error(result.message)
  const {ownerChanges, notes} = result.resolution
  const rules = notes.map(({rule}) => rule).filter(rule => rule === 'owner-changed')
  return {ownerChanges, notes: rules.length, unconfirmed: firstOwners(result.resolution)}
}

describe('a CRD of a group that the user assigns to another package', () => {
  const assigned = {owners: [{group: 'g.org', identity: 'p/b'}]}
  const rules = (roots: readonly string[]) => {
    const result = solved(input(roots, WORLD, assigned))
    if (result.kind === 'rejected') throw new Error(result.message)
    return result.resolution.notes.map(({rule, subject}) => `${rule} ${subject?.package ?? ''}`)
  }

  it('is shown where its owner is not selected', () => {
    expect(rules(['p/r'])).toContain('owner-not-used p/r')
  })

  it('is excluded, with a note, where its owner is selected', () => {
    expect(rules(['p/r', 'p/c'])).toEqual(['excluded-version p/r'])
  })
})

describe('the owner of an unlocked group that was yanked', () => {
  it('is not replaced by a package that claims its CRD', () => {
    const result = solved(
      input(['p/c'], [...WORLD.slice(2), version('p/squatter:v1.0.0', {owns: ['xs.g.org']})], {
        preferences: locked('p/c:v1.0.0', 'p/b:v1.0.0'),
        excluded: [{identity: 'p/b', tag: 'v1.0.0', kind: 'yanked', reason: 'it leaks'}],
      }),
    )
    expect(result.kind === 'rejected' && result.diagnostics.map(({rule}) => rule)).toContain('former-owner')
  })
})

describe('changes of owners', () => {
  it.each([
    {
      name: 'a newer version that takes a CRD over',
      reason: 'it is shown, and has to be confirmed',
      in: changes(['p/r', 'p/c'], {preferences: locked('p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0')}),
      want: {
        ownerChanges: [{group: 'g.org', before: 'p/b', after: 'p/r', isAssigned: false}],
        notes: 1,
        unconfirmed: [{identity: 'p/r', groups: ['g.org'], before: 'p/b'}],
      },
    },
    {
      name: 'a new owner that the user assigns',
      reason: 'it is shown, and confirmed by that',
      in: changes(['p/r', 'p/c'], {
        preferences: locked('p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'),
        owners: [{group: 'g.org', identity: 'p/r'}],
      }),
      want: {
        ownerChanges: [{group: 'g.org', before: 'p/b', after: 'p/r', isAssigned: true}],
        notes: 1,
        unconfirmed: [],
      },
    },
    {
      name: 'an owner that is no longer required',
      reason: 'the group has no owner any more',
      in: changes(['p/r:v1.0.0'], {preferences: locked('p/r:v1.0.0', 'p/b:v1.0.0')}),
      want: {
        ownerChanges: [{group: 'g.org', before: 'p/b', isAssigned: false}],
        notes: 1,
        unconfirmed: [],
      },
    },
    {
      name: 'a package that takes over from an installed one that no source has',
      reason: 'the inventory shows what it owned',
      in: changes(['p/r'], {unavailable: [{identity: 'old/b', crds: ['xs.g.org']}]}),
      want: {
        ownerChanges: [{group: 'g.org', before: 'old/b', after: 'p/r', isAssigned: false}],
        notes: 1,
        unconfirmed: [{identity: 'p/r', groups: ['g.org'], before: 'old/b'}],
      },
    },
    {
      name: 'a package that takes over from a locked one to which nothing leads',
      reason: 'what it owned was looked up for this alone',
      in: changes(['p/r'], {
        preferences: locked('p/r:v1.0.0', 'old/b:v1.0.0'),
        former: [version('old/b:v1.0.0', {owns: ['xs.g.org']})],
      }),
      want: {
        ownerChanges: [{group: 'g.org', before: 'old/b', after: 'p/r', isAssigned: false}],
        notes: 1,
        unconfirmed: [{identity: 'p/r', groups: ['g.org'], before: 'old/b'}],
      },
    },
    {
      name: 'an installed package that no source has',
      reason: 'it keeps what nothing else provides',
      in: changes(['p/c', 'p/b'], {unavailable: [{identity: 'old/d', crds: ['ys.g.org']}]}),
      want: {ownerChanges: [], notes: 0, unconfirmed: []},
    },
    {
      name: 'the same owners',
      reason: 'there is nothing to show',
      in: changes(['p/c', 'p/b'], {preferences: locked('p/c:v1.0.0', 'p/b:v1.0.0')}),
      want: {ownerChanges: [], notes: 0, unconfirmed: []},
    },
  ])('$name: $reason', ({in: outcome, want}) => {
    expect(outcome).toEqual(want)
  })
})
