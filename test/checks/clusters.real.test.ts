import {expect, it} from '@jest/globals'
import {describeCluster} from '../cluster/describe-cluster.js'
import {temporaryFolder} from '../temporary-folder.js'
import {cleared, tryInCluster} from './cluster-places.js'
import {FIXTURES} from './fixtures.js'
import type {Fixture} from './places.js'
import {type Cell, CHECKS} from './table.js'

const root = temporaryFolder()

describeCluster('current', 'the table of checks, for packages of Crossplane v0.12', cluster => {
  const cases = (Object.keys(FIXTURES) as (keyof typeof FIXTURES)[]).flatMap(check =>
    (['install', 'upgrade'] as const).flatMap(place => {
      const cell: Cell = CHECKS[check].cells.stack[place]
      return 'rule' in cell ? [{check, place, ...cell}] : []
    }),
  )

  it.each(cases)(
    '$check: $place names $rule',
    async ({check, place, rule, status}) => {
      const fixture: Fixture = FIXTURES[check]
      try {
        const result = await tryInCluster(place, fixture, {cluster: cluster(), root})
        expect({status: result.status, stderr: result.stderr}).toEqual({
          status,
          stderr: expect.stringContaining(`[${rule}]`),
        })
      } finally {
        await cleared(cluster(), fixture)
      }
    },
    120_000,
  )
})
