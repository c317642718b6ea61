import {describe, expect, it} from '@jest/globals'
import {carryOut, expectAccepted} from '../../../src/pipeline/cluster/cluster-change.js'
import {installedState} from '../../../src/pipeline/cluster/installed-state.js'
import type {ClusterSnapshot} from '../../../src/plan/cluster/cluster-snapshot.js'
import type {Operation, Plan} from '../../../src/plan/plan.js'
import {outcome} from '../../outcome.js'

const rejection = (message: string) =>
  ({severity: 'error', rule: 'r', message, suggestions: ['Fix it.']}) as const
const planOf = (plan: Partial<Plan>): Plan => ({operations: [], unchanged: 0, rejections: [], ...plan})

describe('a plan with rejections', () => {
  it.each([
    {rejections: [], want: undefined},
    {rejections: [rejection('a is held')], want: {message: 'a is held', diagnostics: []}},
    {
      rejections: [rejection('a is held'), rejection('b is held')],
      want: {
        message: 'cannot plan the change: 2 objects are rejected',
        diagnostics: [{message: 'a is held'}, {message: 'b is held'}],
        suggestions: ['Fix it.'],
      },
    },
  ])('is not executed: $want.message', ({rejections, want}) => {
    let thrown: unknown
    try {
      expectAccepted(planOf({rejections}))
    } catch (error) {
      thrown = error
    }
    if (want === undefined) expect(thrown).toBeUndefined()
    else expect(thrown).toMatchObject(want)
  })
})

describe('a confirmed plan', () => {
  const snapshot = {} as ClusterSnapshot
  const waiting = (reason: string): Operation => ({action: 'wait', target: 'cluster', reason})
  const run = async (now: Plan, isConfirmed: boolean): Promise<unknown> => {
    const waited: string[] = []
    const result = await outcome(async () => {
      await carryOut(
        {
          decision: {plan: planOf({operations: [waiting('before')]}), snapshot, firstOwners: []},
          decide: () => Promise.resolve({plan: now, snapshot, firstOwners: []}),
        },
        {isConfirmed},
        {
          api: undefined as never,
          report: () => undefined,
          reportFile: () => undefined,
          waitsForAll: true,
          wait: operations => {
            waited.push(...operations.map(({reason}) => reason))
            return Promise.resolve()
          },
          signal: new AbortController().signal,
          exclusively: (_namespaces, work) => work(new AbortController().signal),
        },
      )
      return 'done'
    })
    return {result, waited}
  }

  it('is not executed if the cluster requires another one now', async () => {
    expect(await run(planOf({operations: [waiting('after')]}), true)).toEqual({
      result: 'plan-outdated',
      waited: [],
    })
  })

  it('is executed as it was confirmed, and without confirmation as the cluster requires', async () => {
    expect(await run(planOf({operations: [waiting('before')]}), true)).toEqual({
      result: 'done',
      waited: ['before'],
    })
    expect(await run(planOf({operations: [waiting('after')]}), false)).toEqual({
      result: 'done',
      waited: ['after'],
    })
  })
})

describe('the state of a cluster', () => {
  const request = {namespace: 'a', name: 'b', era: 'packages', scope: 'Cluster'} as const
  it.each([
    {name: 'a tag', package: 'x/db:v1', want: [{identity: 'x/db', tag: 'v1', pin: {tag: 'v1'}}]},
    {
      name: 'a source',
      package: 'x/db:v1',
      source: 'registry.example.org',
      want: [{identity: 'registry.example.org/x/db'}],
    },
    {name: 'no tag', package: 'x/db', want: []},
  ])('includes the package of an unmanaged request, with $name', ({want, name: _name, ...named}) => {
    const {packages} = installedState({inventories: [], requests: [{...request, ...named}], served: []})
    expect(packages).toMatchObject(want)
    expect(packages).toHaveLength(want.length)
  })
})
