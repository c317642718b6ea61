import {describe, expect, it} from '@jest/globals'
import {
  checkContext,
  checkCrds,
  checkInstalls,
  checkLeases,
  checkManagers,
  checkPackageApi,
  checkPermissions,
  checkServer,
} from '../../src/doctor/check-cluster.js'
import {checkCache, checkIndex, checkRegistry} from '../../src/doctor/check-sources.js'
import {CrossplaneError} from '../../src/errors.js'

const CONTEXT = {context: 'prod', namespace: 'team', server: 'https://a.example.org'}

describe('the checks of a cluster', () => {
  it.each([
    {
      name: 'a context',
      got: checkContext(CONTEXT, false),
      want: {state: 'ok', message: 'context "prod", namespace "team", https://a.example.org'},
    },
    {
      name: 'a Pod',
      got: checkContext({...CONTEXT, context: ''}, false),
      want: {state: 'ok', message: 'the cluster of this Pod, namespace "team", https://a.example.org'},
    },
    {
      name: 'no cluster',
      got: checkContext(new CrossplaneError('not-found', 'no', {suggestions: ['Do.']}), false),
      want: {state: 'skipped', message: 'no', suggestion: 'Do.'},
    },
    {
      name: 'a selected cluster that does not exist',
      got: checkContext(new CrossplaneError('not-found', 'no'), true),
      want: {state: 'broken', message: 'no'},
    },
    {
      name: 'an invalid kubeconfig',
      got: checkContext(new CrossplaneError('input-invalid', 'no'), false),
      want: {state: 'broken', message: 'no'},
    },
    {
      name: 'a server',
      got: checkServer({gitVersion: 'v1.16.0', major: 1, minor: 16}),
      want: {state: 'ok', message: 'Kubernetes v1.16.0'},
    },
    {
      name: 'an old server',
      got: checkServer({gitVersion: 'v1.15.9', major: 1, minor: 15}),
      want: {
        state: 'broken',
        message: 'Kubernetes v1.15.9 has no server-side apply',
        suggestion: 'Upgrade the cluster to Kubernetes 1.16 or later.',
      },
    },
    {
      name: 'all permissions',
      got: checkPermissions([], 'team'),
      want: {state: 'ok', message: 'all permissions that every install in namespace "team" requires'},
    },
    {
      name: 'missing permissions',
      got: checkPermissions(['a', 'b', 'c', 'd'], 'team'),
      want: {
        state: 'broken',
        message: 'missing 4 permissions that an install in namespace "team" requires: a, b, c and 1 more',
        suggestion: 'Run package install with --dry-run=client to print the missing roles.',
      },
    },
    {
      name: 'no package API',
      got: checkPackageApi([]),
      want: {
        state: 'warning',
        message: 'packages.crossplane.io/v1alpha1 is not served',
        suggestion: 'Pass --with-package-api to package install to create the package API.',
      },
    },
    {
      name: 'a current Crossplane',
      got: checkPackageApi([], 'Crossplane v2.3.4'),
      want: {state: 'ok', message: 'Crossplane v2.3.4 runs: packages are those of pkg.crossplane.io'},
    },
    {
      name: 'a current Crossplane beside a package API of v0.12',
      got: checkPackageApi(['packages'], 'a current Crossplane'),
      want: {
        state: 'ok',
        message:
          'a current Crossplane runs: packages are those of pkg.crossplane.io, and packages.crossplane.io/v1alpha1 is served',
      },
    },
    {
      name: 'both package APIs',
      got: checkPackageApi(['packages', 'stacks']),
      want: {state: 'ok', message: 'packages.crossplane.io/v1alpha1 and stacks.crossplane.io/v1alpha1'},
    },
    {
      name: 'a running manager',
      got: checkManagers(['system/manager']),
      want: {
        state: 'warning',
        message: 'package manager system/manager is running; this program only creates requests for it',
        suggestion: 'kubectl scale deployment manager --namespace system --replicas 0',
      },
    },
    {
      name: 'two running managers',
      got: checkManagers(['a/b', 'c/d']),
      want: {
        state: 'warning',
        message: 'package managers a/b and c/d are running; this program only creates requests for them',
        suggestion: 'kubectl scale deployment b --namespace a --replicas 0',
      },
    },
  ])('$name', ({got, want}) => {
    const {id: _id, ...shown} = got
    expect(shown).toEqual(want)
  })

  const held = {namespace: 'a', holder: 'x@y', isHeld: true}
  const stale = {namespace: 'b', holder: 'x@z', isHeld: false}

  it('reports Leases that were left behind, and not those that were released', () => {
    expect(checkLeases([{namespace: 'c', holder: '', isHeld: false}])).toEqual([
      {id: 'lease', state: 'ok', message: 'no Lease is held'},
    ])
    expect(checkLeases([held, stale])).toEqual([
      {id: 'lease', state: 'ok', message: 'the Lease of namespace "a" is held by "x@y"'},
      {
        id: 'lease',
        state: 'warning',
        message: 'the Lease of namespace "b" has expired; last holder: "x@z"',
        suggestion: 'Run the interrupted command again to take over the Lease.',
      },
    ])
  })

  it('distinguishes a change in progress from an interrupted one', () => {
    const installs = [
      {namespace: 'a', name: 'p', state: 'Interrupted'},
      {namespace: 'b', name: 'p', state: 'Interrupted'},
      {namespace: 'b', name: 'q', state: 'Complete'},
      {namespace: 'b', name: 'r', state: 'Unreadable'},
    ] as const
    expect(checkInstalls(installs, [held, stale])).toEqual([
      {id: 'install', state: 'ok', message: 'a/p is being changed'},
      {
        id: 'install',
        state: 'broken',
        message: 'the last change of b/p was interrupted',
        suggestion: 'kubectl crossplane package status b/p',
      },
      {
        id: 'install',
        state: 'broken',
        message: 'the inventory of b/r cannot be read',
        suggestion: 'kubectl crossplane package status b/r',
      },
    ])
    const forgery = {namespace: 'c', name: 'forgery', state: 'Unwitnessed'} as const
    expect(checkInstalls([...installs.slice(2, 3), forgery], [])).toEqual([
      {id: 'install', state: 'ok', message: '1 install, none interrupted'},
    ])
  })
})

describe('the checks of registries and the cache', () => {
  const denied = new CrossplaneError('access-denied', 'denied', {suggestions: ['Log in.']})
  it.each([
    {
      name: 'credentials that are rejected',
      got: checkRegistry({host: 'r:5', hasCredentials: true, failure: denied}),
      want: {state: 'broken', message: 'denied', suggestion: 'Log in.'},
    },
    {
      name: 'no credentials',
      got: checkRegistry({host: 'r:5', hasCredentials: false, failure: denied}),
      want: {
        state: 'warning',
        message: 'r:5 requires authentication, and no credentials are stored',
        suggestion: 'kubectl crossplane registry login r:5',
      },
    },
    {
      name: 'an open registry',
      got: checkRegistry({host: 'r:5', hasCredentials: false}),
      want: {state: 'ok', message: 'r:5 accepts requests without credentials'},
    },
    {name: 'an index', got: checkIndex('r/i', undefined), want: {state: 'ok', message: 'r/i can be read'}},
    {
      name: 'a cache',
      got: checkCache({name: '/c', packages: 1, damaged: 0}),
      want: {state: 'ok', message: '1 package in /c'},
    },
    {
      name: 'a damaged cache',
      got: checkCache({name: '/a c', packages: 2, damaged: 1}),
      want: {
        state: 'broken',
        message: '1 entry in /a c is damaged',
        suggestion: "kubectl crossplane cache clear --cache-dir '/a c'",
      },
    },
  ])('$name', ({got, want}) => {
    const {id: _id, ...shown} = got
    expect(shown).toEqual(want)
  })
})

describe('CRDs that no install claims', () => {
  const left = (number: number) =>
    Array.from({length: number}, (_, index) => ({
      message: `x${index}s.y is left behind`,
      command: `kubectl ${index}`,
    }))

  it.each([
    {number: 0, states: ['ok']},
    {number: 1, states: ['warning']},
    {number: 20, states: Array.from({length: 20}, () => 'warning')},
    {number: 5000, states: Array.from({length: 21}, () => 'warning')},
  ])('are at most 21 lines ($number)', ({number, states}) => {
    const checks = checkCrds(left(number))
    expect(checks.map(({state}) => state)).toEqual(states)
    if (number === 1)
      expect(checks[0]).toMatchObject({message: 'x0s.y is left behind', suggestion: 'kubectl 0'})
    if (number > 20) expect(checks.at(-1)?.message).toBe(`${number - 20} more CRDs are left behind`)
  })
})
