import {describe, expect, it} from '@jest/globals'
import type {PackageSummary} from '../../src/index/package-summary.js'
import type {Preference, SolverInput} from '../../src/resolve/solver-input.js'
import {explained, input, selected, solved, version} from './world.js'

// What happens to a group when somebody publishes a version, forges an entry, moves a CRD or publishes a pre-release.

/** An answer as a lock has it. */
function lockOf(result: ReturnType<typeof solved>): Preference[] {
  if (result.kind === 'rejected') throw new Error(explained(result))
  const {packages, roots} = result.resolution
  const requirements = [...roots, ...packages.flatMap(each => each.requirements)]
  return packages.map(({summary: {identity, tag}}) => ({
    identity,
    tag,
    because: 'locked',
    satisfies: requirements.flatMap(({requirement, by}) =>
      by.kind === 'package' && by.identity === identity ? [requirement.text] : [],
    ),
  }))
}

const owners = [{group: 'g.org', identity: 'p/b'}]

const PUBLISHED = [
  version('p/r:v1.0.0', {owns: ['rs.r.org']}),
  version('p/c:v1.0.0', {owns: ['cs.c.org'], requires: ['xs.g.org/v1']}),
  version('p/b:v1.0.0', {owns: ['xs.g.org/v1']}),
]

const taker = (reference: string) => version(reference, {owns: ['rs.r.org', 'xs.g.org/v1']})

interface Story {
  readonly name: string
  readonly roots: readonly string[]
  readonly before: readonly PackageSummary[]
  /** What is published then, and stays excluded. */
  readonly published: readonly PackageSummary[]
  readonly excluded?: SolverInput['excluded']
  /** The answer before and after. */
  readonly answer: readonly string[]
  /** What is selected with neither lock nor owners. */
  readonly fresh: readonly string[] | string
}

const STORIES: readonly Story[] = [
  {
    name: 'publish: a newer version of a requested package also owns the CRD',
    roots: ['p/r', 'p/c'],
    before: PUBLISHED,
    published: [taker('p/r:v1.1.0')],
    answer: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
    fresh: ['p/r:v1.1.0', 'p/c:v1.0.0'],
  },
  {
    name: 'publish: a newer version of a package that the same file names also owns the CRD',
    roots: ['p/c'],
    before: [
      PUBLISHED[0]!,
      version('p/c:v1.0.0', {owns: ['cs.c.org'], requires: ['p/r', 'xs.g.org/v1']}),
      PUBLISHED[2]!,
    ],
    published: [taker('p/r:v1.1.0')],
    answer: ['p/c:v1.0.0', 'p/r:v1.0.0', 'p/b:v1.0.0'],
    fresh: ['p/c:v1.0.0', 'p/r:v1.1.0'],
  },
  {
    name: 'publish: a newer version of the dependent also owns the CRD',
    roots: ['p/r', 'p/c'],
    before: PUBLISHED,
    published: [version('p/c:v1.1.0', {owns: ['cs.c.org', 'xs.g.org/v1'], requires: ['xs.g.org/v1']})],
    answer: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
    fresh: ['p/r:v1.0.0', 'p/c:v1.1.0'],
  },
  {
    name: 'publish: an unrelated package owns the CRD',
    roots: ['p/r', 'p/c'],
    before: PUBLISHED,
    published: [version('p/evil:v99.0.0', {owns: ['xs.g.org/v1']})],
    answer: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
    fresh: 'ambiguous-owner',
  },
  {
    name: 'pre-release: a version that no reference names owns the CRD',
    roots: ['p/r', 'p/c'],
    before: PUBLISHED,
    published: [taker('p/r:v9.0.0-rc.1')],
    answer: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
    fresh: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
  },
  {
    name: 'forge: an index entry that the registry contradicts owns the CRD',
    roots: ['p/r', 'p/c'],
    before: PUBLISHED,
    published: [taker('p/r:v9.0.0')],
    excluded: [{identity: 'p/r', tag: 'v9.0.0', kind: 'vanished', reason: 'the registry has no p/r:v9.0.0'}],
    answer: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
    fresh: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
  },
  {
    name: 'yank: only a yanked version owns the CRD',
    roots: ['p/r', 'p/c'],
    before: PUBLISHED,
    published: [taker('p/r:v1.1.0')],
    excluded: [{identity: 'p/r', tag: 'v1.1.0', kind: 'yanked', reason: 'it loses data'}],
    answer: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
    fresh: ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0'],
  },
]

describe.each(STORIES)('$name', ({roots, before, published, excluded = [], answer, fresh}) => {
  const later = {excluded}
  const lock = lockOf(solved(input(roots, before)))
  const everything = [...before, ...published]

  it('starts from the same resolution', () => {
    expect(selected(solved(input(roots, before)))).toEqual(answer)
  })

  it.each([
    {name: 'a lock', more: {preferences: lock}},
    {name: 'owners', more: {owners}},
    {name: 'a lock and owners', more: {preferences: lock, owners}},
  ])('changes nothing with $name', ({more}) => {
    expect(selected(solved(input(roots, everything, {...later, ...more})))).toEqual(answer)
  })

  it('is resolved by the rules alone with neither', () => {
    expect(selected(solved(input(roots, everything, later)))).toEqual(fresh)
  })
})

describe('a version that owns a CRD of an assigned owner', () => {
  const roots = ['p/r', 'p/c']
  const everything = [...PUBLISHED, taker('p/r:v1.1.0')]

  it('is excluded with a note', () => {
    const result = solved(input(roots, everything, {owners}))
    const notes = result.kind === 'resolved' ? result.resolution.notes : []
    expect(notes.map(({rule, message}) => `${rule}: ${message}`)).toEqual([
      'excluded-version: p/r:v1.1.0 is excluded: it owns xs.g.org of p/b:v1.0.0',
    ])
  })

  it.each([
    {name: 'owners', more: {owners}},
    {name: 'the lock', more: {preferences: [{identity: 'p/b', tag: 'v1.0.0', because: 'locked'} as const]}},
  ])('is an error that names both where it is pinned against $name', ({more}) => {
    const text = explained(solved(input(['p/r:v1.1.0', 'p/c'], everything, more)))
    expect(text).toMatch(/^unresolvable/)
    expect(text).toContain('p/r:v1.1.0 and p/b:v1.0.0 both own xs.g.org')
  })

  it('does not hold back the owner, although nothing requires the CRD', () => {
    const world = [
      version('p/r:v1.0.0', {owns: ['rs.r.org']}),
      taker('p/r:v1.1.0'),
      version('p/b:v0.9.0', {owns: ['ys.g.org']}),
      version('p/b:v1.0.0', {owns: ['ys.g.org', 'xs.g.org/v1']}),
      version('p/c:v1.0.0', {requires: ['ys.g.org']}),
    ]
    const lock: Preference[] = [{identity: 'p/b', tag: 'v1.0.0', because: 'locked'}]
    const answer = ['p/r:v1.0.0', 'p/c:v1.0.0', 'p/b:v1.0.0']
    expect(selected(solved(input(roots, world, {owners})))).toEqual(answer)
    expect(selected(solved(input(roots, world, {preferences: lock})))).toEqual(answer)
  })

  it('can be selected where the owner is not', () => {
    expect(selected(solved(input(['p/r'], everything, {owners})))).toEqual(['p/r:v1.1.0'])
  })
})

describe('move: a CRD that moved between two requested packages', () => {
  const moved = [
    version('p/a:v1.0.0', {owns: ['as.a.org', 'xs.g.org/v1']}),
    version('p/a:v2.0.0', {owns: ['as.a.org']}),
    version('p/b:v1.0.0', {owns: ['bs.b.org', 'xs.g.org/v1']}),
    version('p/c:v1.0.0', {requires: ['xs.g.org/v1']}),
  ]
  const answer = ['p/a:v2.0.0', 'p/b:v1.0.0', 'p/c:v1.0.0']
  const lock: Preference[] = [
    {identity: 'p/a', tag: 'v2.0.0', because: 'locked'},
    {identity: 'p/b', tag: 'v1.0.0', because: 'locked'},
    {identity: 'p/c', tag: 'v1.0.0', because: 'locked'},
  ]
  const cases = [
    {name: 'neither lock nor owners', more: {}},
    {name: 'a lock', more: {preferences: lock}},
    {name: 'owners', more: {owners}},
    {name: 'a lock and owners', more: {preferences: lock, owners}},
  ]

  it.each(cases)('is resolved with $name', ({more}) => {
    expect(selected(solved(input(['p/a', 'p/b', 'p/c'], moved, more)))).toEqual(answer)
  })

  it.each(cases)('is resolved with pins and $name', ({more}) => {
    expect(selected(solved(input(['p/a:v2.0.0', 'p/b:v1.0.0', 'p/c'], moved, more)))).toEqual(answer)
  })

  it('keeps the file order where the dependent comes first', () => {
    expect(selected(solved(input(['p/c', 'p/a', 'p/b'], moved)))).toEqual([
      'p/c:v1.0.0',
      'p/a:v2.0.0',
      'p/b:v1.0.0',
    ])
  })

  it('selects the new owner for a requested CRD', () => {
    expect(selected(solved(input(['xs.g.org/v1', 'p/a', 'p/b'], moved)))).toEqual([
      'p/a:v2.0.0',
      'p/b:v1.0.0',
    ])
  })

  it('is rejected where both packages are pinned to versions that own it', () => {
    const text = explained(solved(input(['p/a:v1.0.0', 'p/b:v1.0.0'], moved)))
    expect(text).toContain('p/a:v1.0.0 and p/b:v1.0.0 both own xs.g.org')
  })

  it('accepts a mismatch of one of the roots', () => {
    const stale = moved.map(each => ({
      ...each,
      dependsOn: each.dependsOn.map(() => ({crd: 'xs.g.org/v9'})),
    }))
    const asked = input(['p/a', 'p/b', 'p/c'], stale)
    expect(selected(solved(asked))).toBe('unresolvable')
    expect(selected(solved(asked, {allowVersionMismatch: true}))).toEqual(answer)
  })
})
