import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import {planPackageRemoval} from '../../../../src/plan/cluster/core/plan-removal.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'
import {REQUIRES} from '../../../../src/plan/cluster/core/recorded-requires.js'
import {REQUESTED_AS} from '../../../../src/plan/cluster/core/requested-as.js'
import {unusedWithout} from '../../../../src/plan/cluster/core/unused-requests.js'
import type {UninstallOptions} from '../../../../src/plan/cluster/state/uninstall-options.js'

const OPTIONS: UninstallOptions = {customResources: 'abort', withUnusedDependencies: false, adopt: false}

function request(name: string, manager = 'crossplane-packages', as?: string) {
  const annotations: Readonly<Record<string, string>> = as === undefined ? {} : {[REQUESTED_AS]: as}
  const operation = manager === 'crossplane-packages' ? 'Apply' : 'Update'
  return coreRequest('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name, uid: name, annotations, managedFields: [{manager, operation}]},
    spec: {package: `h.io/${name}:v1.0.0`},
  })
}

const [APP, NET, BASE] = [request('app', undefined, 'v1.0.0'), request('net'), request('base', 'crossplane')]
const onlyRequiring = (to: string) => [{package: `h.io/${to}`, type: 'Provider', constraints: 'v1'}]
const CORE = {
  requests: [APP, NET, BASE],
  revisions: [],
  lock: coreLock({
    packages: [
      {source: 'h.io/app', dependencies: onlyRequiring('net')},
      {source: 'h.io/net', dependencies: onlyRequiring('base')},
      {source: 'h.io/base'},
    ],
  }),
}

function planned(
  removed: readonly (typeof APP)[],
  more: Partial<Parameters<typeof planPackageRemoval>[1]> = {},
) {
  const input = {
    core: CORE,
    crds: [],
    instances: new Map(),
    usages: [],
    beside: [],
    options: OPTIONS,
    ...more,
  }
  const {operations, rejections} = planPackageRemoval(removed, input)
  return {
    deleted: operations.filter(({action}) => action === 'delete').map(({object}) => object?.name),
    rejected: rejections.map(({rule}) => rule),
  }
}

it('removes dependents before what they require', () => {
  const removed = [BASE, APP, NET]
  expect(planned(removed)).toEqual({deleted: ['app', 'net', 'base'], rejected: []})
})

it('finds what only a package requires', () => {
  expect(unusedWithout(APP, CORE)).toEqual([APP, NET, BASE])
  const isRequested = {...CORE, requests: [APP, request('net', undefined, ''), BASE]}
  expect(unusedWithout(APP, isRequested)).toEqual([APP])
})

/** Requests that skip the resolver of the core; null for one that does not record what it requires. */
function skipping(requires: Readonly<Record<string, readonly string[] | null>>) {
  const requests = Object.entries(requires).map(([name, required]) => {
    const {object} = request(name)
    const reference = `h.io/${name}@sha256:${'0'.repeat(64)}`
    const text = JSON.stringify({package: reference, requires: required})
    const annotations: Readonly<Record<string, string>> = required === null ? {} : {[REQUIRES]: text}
    return coreRequest('Provider', {
      ...object,
      metadata: {...object.metadata, annotations},
      spec: {package: reference, skipDependencyResolution: true},
    })
  })
  return {requests, revisions: [], lock: coreLock(undefined)}
}

describe('a request that the core made beside one of a user', () => {
  const second = {...request('second', 'crossplane'), repository: 'h.io/base', isByCore: true}
  const first = {...request('base'), isByCore: false, revision: 'base-1'}
  const removedBeside = (...others: readonly (typeof APP)[]) =>
    planned([second], {core: {...CORE, requests: [APP, NET, second, ...others]}}).rejected

  it('is removed though others require the package', () => {
    expect(removedBeside(first)).toEqual([])
  })

  it('is not removed where the other one is not installed, or goes as well', () => {
    const {revision: _none, ...notInstalled} = first
    for (const other of [notInstalled, {...first, isTerminating: true}, {...first, isByCore: true}])
      expect(removedBeside(other)).toEqual(['install-required'])
    expect(removedBeside()).toEqual(['install-required'])
  })
})

describe('packages that the core does not resolve', () => {
  const core = skipping({app: ['h.io/net >=v1'], base: [], net: ['h.io/base v1.0.0']})
  const [app, base, net] = core.requests as [typeof APP, typeof APP, typeof APP]
  const planOf = (removed: readonly (typeof APP)[], state: Parameters<typeof unusedWithout>[1] = core) =>
    planPackageRemoval(removed, {
      core: {revisions: [], ...state},
      crds: [],
      instances: new Map(),
      usages: [],
      beside: [],
      options: OPTIONS,
    })

  it('are not removed while others require them', () => {
    const {operations, rejections} = planOf([base])
    expect(rejections).toEqual([
      {
        severity: 'error',
        rule: 'install-required',
        message: 'h.io/net requires h.io/base v1.0.0: Crossplane would not install it again',
        suggestions: ['kubectl crossplane package uninstall provider.pkg.crossplane.io/net'],
      },
    ])
    expect(operations.flatMap(({risks = []}) => risks)).toEqual([])
  })

  it('are removed with what only they require, dependents first', () => {
    expect(unusedWithout(app, core)).toEqual([app, net, base])
    const {operations, rejections} = planOf([base, net, app])
    const deleted = operations.filter(({action}) => action === 'delete').map(({object}) => object?.name)
    expect({deleted, rejections}).toEqual({deleted: ['app', 'net', 'base'], rejections: []})
  })

  it('could be required by one of which that is unknown', () => {
    const state = skipping({app: ['h.io/net >=v1'], net: [], 'a\u001bb': null})
    const [first] = state.requests as [typeof APP]
    expect(unusedWithout(first, state)).toEqual([first])
    const risks = planOf([first], state).operations.flatMap(operation => operation.risks ?? [])
    expect(risks).toMatchObject([
      {
        rule: 'requirements-unknown',
        message:
          'h.io/app could be required by provider.pkg.crossplane.io/a\\u001bb: nothing in the cluster says what it requires',
      },
    ])
    expect(risks[0]?.suggestions).toHaveLength(1)
  })
})

const usage = (of: KubernetesObject['spec']): KubernetesObject => ({
  apiVersion: 'protection.crossplane.io/v1beta1',
  kind: 'ClusterUsage',
  metadata: {name: 'keep'},
  spec: {of: of ?? null},
})
const OF = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider'}
const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'gates.example.org'},
  spec: {group: 'example.org', names: {kind: 'Gate'}, versions: [{name: 'v1', served: true}]},
}

it.each([
  {name: 'what another package requires', removed: [NET], want: ['install-required']},
  {name: 'a request of another program', removed: [request('theirs', 'flux')], want: ['object-unmanaged']},
  {
    name: 'a package with a Usage',
    more: {usages: [usage({...OF, resourceRef: {name: 'app'}})]},
    want: ['usage-exists'],
  },
  {name: 'a package with a Usage of all', more: {usages: [usage(OF)]}, want: ['usage-exists']},
  {
    name: 'custom resources with a Usage',
    more: {crds: [CRD], usages: [usage({apiVersion: 'example.org/v1', kind: 'Gate'})]},
    want: ['usage-exists'],
  },
  {
    name: 'a package beside another Usage',
    more: {usages: [usage({...OF, resourceRef: {name: 'net'}})]},
    want: [],
  },
  {
    name: 'custom resources',
    more: {crds: [CRD], instances: new Map([['gates.example.org', {total: 1, first: [{name: 'x'}]}]])},
    want: ['instances-exist'],
  },
  {
    name: 'CRDs that are to be kept',
    more: {options: {...OPTIONS, customResources: 'keep' as const}},
    want: ['instances-exist'],
  },
])('judges the removal of $name', ({removed = [APP], more = {}, want}) => {
  expect(planned(removed, more).rejected).toEqual(want)
})

it('says that custom resources go with their CRD, and that a flag deletes them', () => {
  const input = {
    core: CORE,
    crds: [CRD],
    instances: new Map([['gates.example.org', {total: 1, first: [{name: 'x'}]}]]),
    usages: [usage(OF)],
    beside: [],
    options: OPTIONS,
  }
  const {rejections} = planPackageRemoval([APP], input)
  expect(rejections.map(({message}) => message)).toEqual([
    '1 object protects what would be deleted: ClusterUsage keep',
    '1 custom resource of gates.example.org would lose its controller: x; Crossplane would delete the CRD with its custom resources',
  ])
  expect(rejections.flatMap(({suggestions = []}) => suggestions).join('\n')).not.toContain('keep or')
})
