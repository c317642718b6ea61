import {describe, expect, it} from '@jest/globals'
import {type FleetHome, fleetRows} from '../src/fleet-rows.js'
import {waitingHomes} from '../src/soak.js'

const SQL = {package: 'h.io/sql', locked: 'v1', rendered: 'v1'}
const HELM = {...SQL, package: 'h.io/helm'}
const live = (name: string) => ({package: name, version: 'v1', state: 'healthy' as const, since: 0})
const home = (path: string, ...packages: readonly (typeof SQL)[]): FleetHome => ({
  ...{path, context: path, packages},
  live: packages.map(one => live(one.package)),
})

describe('the homes of a ring that wait', () => {
  it.each<{name: string; ring: readonly FleetHome[]; want: readonly string[]}>([
    {name: 'none of those that agree', ring: [home('a', SQL), home('b', SQL)], want: []},
    {
      name: 'one with a package that another lacks',
      ring: [home('a', SQL), home('b', SQL, HELM)],
      want: ['b: it has h.io/helm v1, which a does not have'],
    },
    {name: 'one without packages', ring: [home('a')], want: ['a: it has no packages']},
    {
      name: 'one with another version',
      ring: [
        home('a', SQL),
        {...home('b', {...SQL, locked: 'v2', rendered: 'v2'}), live: [{...live('h.io/sql'), version: 'v2'}]},
      ],
      want: ['a: it has h.io/sql v1, and b has v2', 'b: it has h.io/sql v2, and a has v1'],
    },
  ])('are $name', ({ring, want}) => {
    expect(waitingHomes(ring, 1000, 2000).map(({path, reason}) => `${path}: ${reason}`)).toEqual(want)
  })
})

describe('the row of a package', () => {
  const rowOf = (own: FleetHome) => fleetRows([own])[0]

  it('is that of an install which waits, beside one that is healthy', () => {
    const broken = {package: 'h.io/sql', version: 'v1', state: 'broken' as const, reason: 'no Pod runs'}
    for (const both of [
      [live('h.io/sql'), broken],
      [broken, live('h.io/sql')],
    ])
      expect(rowOf({...home('a', SQL), live: both})).toMatchObject({waits: 'broken: no Pod runs'})
  })

  it('has the time of the install that became healthy last', () => {
    const both = [live('h.io/sql'), {...live('h.io/sql'), since: 7}]
    expect(rowOf({...home('a', SQL), live: both})).toMatchObject({since: 7})
  })
})
