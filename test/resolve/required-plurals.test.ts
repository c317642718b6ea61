import {describe, expect, it} from '@jest/globals'
import type {Fact} from '../../src/resolve/facts.js'
import {requiredPlurals} from '../../src/resolve/required-plurals.js'
import {input, solved, version} from './world.js'

const FACTS: readonly Fact[] = [
  {
    origin: 'crossplane',
    group: 'w.org',
    plural: 'buckets',
    singular: 'bucket',
    kind: 'Bucket',
    served: ['v1'],
  },
  {origin: 'kubernetes', group: 'apps', plural: '*'},
]
const db = version('db:v1.0.0', {owns: ['databases.d.org/v1,v2', 'tables.d.org'], requires: ['table.d.org']})
const twins = {
  ...version('twins:v1.0.0', {owns: ['ones.t.org', 'others.t.org']}),
  crds: version('twins:v1.0.0', {owns: ['ones.t.org', 'others.t.org']}).crds.map(crd => ({
    ...crd,
    singular: 'it',
  })),
}

/** The plurals that an application is known to mean. */
function plurals(requires: readonly string[]): Record<string, string> {
  const result = solved(input(['app'], [version('app:v1.0.0', {requires}), db, twins], {facts: FACTS}))
  if (result.kind === 'rejected') throw new Error(result.message)
  return Object.fromEntries(requiredPlurals(result.resolution).get('app') ?? [])
}

describe('the plurals of required CRDs', () => {
  it.each([
    {name: 'a plural', in: 'databases.d.org/v1', want: 'databases'},
    {name: 'a singular', in: 'database.d.org/v2', want: 'databases'},
    {name: 'a kind', in: 'databaseskind.d.org', want: 'databases'},
    {name: 'a kind that is available without a package', in: 'bucket.w.org/v1', want: 'buckets'},
    {name: 'a wildcard', in: '*.d.org', want: undefined},
    {name: 'a group that is assumed as a whole', in: 'deployment.apps/v1', want: undefined},
    {name: 'a name that two kinds have', in: 'it.t.org', want: undefined},
    {name: 'a package', in: 'db', want: undefined},
  ])('$name: $want', ({in: requirement, want}) => {
    expect(plurals([requirement])).toEqual(want === undefined ? {} : {[requirement]: want})
  })

  it('are found by the text of the requirement, also in the package that owns the CRD', () => {
    const result = solved(input(['db'], [db]))
    if (result.kind === 'rejected') throw new Error(result.message)
    expect(requiredPlurals(result.resolution)).toEqual(
      new Map([['db', new Map([['table.d.org', 'tables']])]]),
    )
  })
})
