import {describe, expect, it} from '@jest/globals'
import {carryOut, expectAccepted, planAndCarryOut} from '../../../src/pipeline/cluster/cluster-change.js'
import type {EraName} from '../../../src/reference/era-name.js'
import type {SystemRole, SystemRoles} from '../../../src/cluster/inventory/system-role.js'
import {installedState} from '../../../src/observe/installs/installed-state.js'
import type {ClusterSnapshot} from '../../../src/plan/cluster/state/cluster-snapshot.js'
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

describe('a change that is planned once', () => {
  const inventoryIn = (namespace: string): Operation => ({
    ...{action: 'wait', target: 'cluster', reason: `inventory in ${namespace}`},
    object: {apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'crossplane-package.app'},
  })
  const run = async (plan: Plan): Promise<unknown> => {
    const steps: string[] = []
    const result = await outcome(async () => {
      await planAndCarryOut(
        {
          decide: () => {
            steps.push('planned')
            return Promise.resolve({
              ...{plan, snapshot: {} as ClusterSnapshot, firstOwners: [], installs: []},
            })
          },
          prepare: () => {
            steps.push('judged')
            return Promise.reject(new Error('stopped'))
          },
        },
        ['team'],
        {
          ...{api: undefined as never, report: () => undefined, reportFile: () => undefined},
          ...{waitsForAll: true, wait: () => Promise.resolve(), signal: new AbortController().signal},
          exclusively: async (namespaces, work) => {
            steps.push(`locked ${namespaces.join()}`)
            await work(new AbortController().signal)
          },
        },
      )
      return 'done'
    }).catch((error: unknown) => (error instanceof Error ? error.message : error))
    return {result, steps}
  }

  it.each([
    {plan: planOf({}), want: {result: 'done', steps: ['locked team', 'planned']}},
    {
      plan: planOf({operations: [inventoryIn('team')]}),
      want: {result: 'stopped', steps: ['locked team', 'planned', 'judged']},
    },
    {
      plan: planOf({operations: [inventoryIn('team'), inventoryIn('other')]}),
      want: {result: 'plan-outdated', steps: ['locked team', 'planned']},
    },
    {
      plan: planOf({rejections: [rejection('a is held')]}),
      want: {result: 'cluster-refused', steps: ['locked team', 'planned']},
    },
  ])('is planned under the Leases that it needs: $want.result', async ({plan, want}) => {
    expect(await run(plan)).toEqual(want)
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
          decision: {
            plan: planOf({operations: [waiting('before')]}),
            snapshot,
            firstOwners: [],
            installs: [],
          },
          decide: () => Promise.resolve({plan: now, snapshot, firstOwners: [], installs: []}),
          prepare: ({plan}) => {
            waited.push(`preparation of ${plan.operations.length}`)
            return Promise.resolve()
          },
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
      waited: ['preparation of 1', 'before'],
    })
    expect(await run(planOf({operations: [waiting('after')]}), false)).toEqual({
      result: 'done',
      waited: ['preparation of 1', 'after'],
    })
    expect(await run(planOf({}), false)).toEqual({result: 'done', waited: []})
  })
})

describe('the state of a cluster', () => {
  const request = {namespace: 'a', name: 'b', era: 'packages', scope: 'Cluster'} as const
  const observed = (text: string, {source}: {readonly source?: string}) => {
    const parameters = {
      imagePullSecrets: [],
      serviceAccountAnnotations: {},
      ...(source === undefined ? {} : {source}),
    }
    const requests = [{...request, package: text, parameters}]
    return {inventories: [], roles: new Map(), requests, served: [], managers: new Map<EraName, string>()}
  }
  it.each([
    {name: 'a tag', package: 'x/db:v1', want: [{identity: 'x/db', tag: 'v1', pin: {tag: 'v1'}}]},
    {
      name: 'a source',
      package: 'x/db:v1',
      source: 'registry.example.org',
      want: [{identity: 'registry.example.org/x/db'}],
    },
    {name: 'no tag', package: 'x/db', want: []},
  ])('includes the package of an unmanaged request, with $name', ({want, package: text, ...named}) => {
    const {packages} = installedState(observed(text, named), {adopt: false})
    expect(packages).toMatchObject(want)
    expect(packages).toHaveLength(want.length)
  })

  it('includes the package of a witness without an inventory, and not what a request says of it', () => {
    const install = {namespace: 'a', name: 'b'}
    const witness = {
      package: 'x/db:v2.0.0',
      digest: 'sha256:2',
      scope: 'Cluster',
      inventories: ['0'],
    } as const
    const role = {...install, era: 'packages', role: 'r', uid: '1', isApplied: true, witness} as const
    const rolesOf = (...roles: readonly SystemRole[]) => new Map([['a/b', roles]])
    const packagesWith = (roles: SystemRoles) =>
      installedState({...observed('x/db:v1', {}), roles}, {adopt: false}).packages
    const found = {...install, identity: 'x/db', tag: 'v2.0.0', digest: 'sha256:2', isOnlyWitnessed: true}
    expect(packagesWith(rolesOf(role))).toEqual([expect.objectContaining(found)])
    const older = {...role, witness: {...witness, package: 'x/db:v1.0.0'}}
    expect(packagesWith(rolesOf(older, role))).toEqual([expect.objectContaining(found)])
    expect(packagesWith(rolesOf({...role, isApplied: false}))).toMatchObject([{tag: 'v1', pin: {tag: 'v1'}}])
  })

  it('takes requests over with --adopt, but for those that a package manager carries out', () => {
    const {requests, ...others} = observed('x/db:v1', {source: 'registry.example.org'})
    const settings = {...requests[0]?.parameters, scope: 'Cluster', requestFields: {}}
    const inventoryOf = (managers: ReadonlyMap<EraName, string>, adopt: boolean) =>
      installedState({...others, requests, managers}, {adopt}).packages.map(({inventory}) => inventory)
    expect(inventoryOf(new Map(), true)).toEqual([{settings, hasRequest: true}])
    expect(inventoryOf(new Map(), false)).toEqual([undefined])
    expect(inventoryOf(new Map([['packages', 'a/manager']]), true)).toEqual([undefined])
  })
})
