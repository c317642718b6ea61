import {describe, expect, it} from '@jest/globals'
import type {KubernetesObject} from 'kubectl-crossplane/plugin'
import {nextStatus, podsAwaited} from '../src/run/request-status.js'
import {problemOf, rethrowOfApply} from '../src/run/problem.js'
import {abandonedRequests, dependentsOf, rootsOf} from '../src/run/dependencies.js'
import {CrossplaneError} from 'kubectl-crossplane/plugin'

const API = 'packages.crossplane.io/v1alpha1'
const REQUEST: KubernetesObject = {
  apiVersion: API,
  kind: 'PackageInstall',
  metadata: {name: 'app', namespace: 'team', generation: 3},
}
const OK = {status: 'True', reason: 'ReconcileSuccess', message: ''} as const
const NOW = '2026-01-01T00:00:00Z'

describe('nextStatus', () => {
  it('writes conditions, the package and the record in the names of the era', () => {
    const record = {apiVersion: API, kind: 'Package', metadata: {name: 'app', namespace: 'team', uid: 'u'}}
    const selected = {identity: 'example/app', tag: 'v1', version: '1', digest: 'sha256:0', summaryHash: ''}
    const installed = {namespace: 'team', name: 'app', package: selected}
    const ready = {...OK, reason: 'Available'}
    const status = nextStatus(REQUEST, {ready, synced: OK, installed, dependencies: [], result: record}, NOW)
    const lastTransitionTime = NOW
    expect(status).toEqual({
      observedGeneration: 3,
      conditionedStatus: {
        conditions: [
          {type: 'Ready', ...ready, lastTransitionTime},
          {type: 'Synced', ...OK, lastTransitionTime},
        ],
      },
      packageRecord: {apiVersion: API, kind: 'Package', name: 'app', namespace: 'team', uid: 'u'},
      resolved: {package: 'example/app:v1', version: '1', digest: 'sha256:0'},
      dependencies: [],
    })
  })

  it('is undefined where nothing changes, and keeps what it does not know', () => {
    const first = nextStatus({...REQUEST, status: {installJob: {name: 'x'}}}, {synced: OK}, NOW) ?? {}
    expect(first.installJob).toEqual({name: 'x'})
    expect(nextStatus({...REQUEST, status: first}, {synced: OK}, '2027-01-01T00:00:00Z')).toBeUndefined()
  })
})

describe('podsAwaited', () => {
  const unavailable = {status: 'False', reason: 'Unavailable', message: ''} as const
  const since = (ready: {readonly reason: string}, lastTransitionTime = NOW) => ({
    ...REQUEST,
    status: {conditionedStatus: {conditions: [{type: 'Ready', ...ready, lastTransitionTime}]}},
  })
  const TEN_MINUTES_LATER = '2026-01-01T00:10:00Z'
  it.each([
    {of: 'Pods that have not started since', before: since(unavailable), want: 600_000},
    {of: 'a time that is no time', before: since(unavailable, 'x'), want: 0},
    {of: 'what was available before', before: since({reason: 'Available'}), want: 0},
    {of: 'a dependency', before: since(unavailable), ready: {reason: 'WaitingForDependency'}, want: 0},
    {of: 'a refused upgrade', before: since(unavailable), synced: {status: 'False'} as const, want: 0},
  ])('is $want for $of', ({before, ready = {}, synced = {}, want}) => {
    const state = {ready: {...unavailable, ...ready}, synced: {...OK, ...synced}}
    expect(podsAwaited(before, state, TEN_MINUTES_LATER)).toBe(want)
  })
})

describe('problemOf', () => {
  it.each([
    {code: 'unresolvable', want: {reason: 'WaitingForDependency', message: 'a'}},
    {code: 'registry-unreachable', want: {reason: 'PullFailed', message: 'a', isTransient: true}},
    {code: 'timeout', want: {reason: 'PullFailed', message: 'a', isTransient: true}},
    {code: 'cluster-denied', want: {reason: 'ReconcileError', message: 'a', isTransient: true}},
    {code: 'scope-mismatch', want: {reason: 'ScopeMismatch', message: 'a'}},
    {code: 'signature-refused', want: {reason: 'PolicyRefused', message: 'a'}},
    {code: 'package-invalid', want: {reason: 'InvalidPackage', message: 'a'}},
  ] as const)('$code', ({code, want}) => {
    expect(problemOf(new CrossplaneError(code, 'a'))).toEqual(want)
  })

  it('blames no registry for a time limit of an apply', async () => {
    const problemIn = async (code: 'timeout' | 'conflict') => {
      const applied = Promise.reject(new CrossplaneError(code, 'a')).catch(rethrowOfApply)
      return await applied.catch(problemOf)
    }
    expect(await problemIn('timeout')).toEqual({reason: 'ReconcileError', message: 'a', isTransient: true})
    expect(await problemIn('conflict')).toEqual({reason: 'Conflict', message: 'a'})
  })

  it('leaves flags to the commands', () => {
    const printed =
      'Replace USER in the printed objects, have an administrator apply them, and run the command again.'
    const suggestions = ['Pass --owner a=b.', 'kubectl get x', printed, 'Publish the package.']
    expect(problemOf(new CrossplaneError('policy-refused', 'a', {suggestions})).message).toBe(
      'a; Publish the package.',
    )
  })

  it('leaves commands to those who typed one', () => {
    const suggestions = [
      'kubectl crossplane doctor',
      'Then run this command again.',
      'Delete the new custom resources, and run the command again.',
    ]
    expect(problemOf(new CrossplaneError('unresolvable', 'a', {suggestions})).message).toBe(
      'a; Delete the new custom resources.',
    )
  })

  it('does not take bugs for problems of a request', () => {
    expect(() => problemOf(new TypeError('a bug'))).toThrow(TypeError)
  })
})

describe('dependentsOf', () => {
  const auto = {
    ...REQUEST,
    metadata: {
      name: 'queue',
      namespace: 'system',
      annotations: {'kubectl-crossplane.dev/required-by': 'team/app'},
    },
  }
  const queue = {namespace: 'system', name: 'queue', for: {'team/other': ['queues']}}
  const other = {namespace: 'team', name: 'other', for: {}}
  it.each([
    {name: 'an install that requires it', installed: [queue, other], requests: [], want: ['team/other']},
    {name: 'a request for which it was made', installed: [], requests: [REQUEST], want: ['team/app']},
    {
      name: 'a request that is being deleted',
      installed: [queue],
      requests: [{...REQUEST, metadata: {...REQUEST.metadata, deletionTimestamp: NOW}}],
      want: [],
    },
    {name: 'nothing', installed: [queue], requests: [], want: []},
  ])('$name', ({installed, requests, want}) => {
    expect(dependentsOf(auto, installed, requests)).toEqual(want)
  })
})

describe('rootsOf', () => {
  const made = (name: string, root: string): KubernetesObject => ({
    ...REQUEST,
    metadata: {
      name,
      namespace: 'team',
      labels: {'kubectl-crossplane.dev/auto': 'true'},
      annotations: {'kubectl-crossplane.dev/required-by': root},
    },
  })
  it.each([
    {name: 'a request of a user', others: [REQUEST], root: 'team/app', want: ['team/app']},
    {
      name: 'the request of a user through a dependency',
      others: [REQUEST, made('b', 'team/app')],
      root: 'team/b',
      want: ['team/app'],
    },
    {name: 'nothing for what requires itself', others: [], root: 'team/a', want: []},
    {
      name: 'nothing for two that require each other',
      others: [made('b', 'team/a')],
      root: 'team/b',
      want: [],
    },
  ])('are $name', ({others, root, want}) => {
    const auto = made('a', root)
    expect(rootsOf(auto, [], [auto, ...others])).toEqual(want)
  })
})

describe('abandonedRequests', () => {
  const made = (name: string, root: string, labels = {'kubectl-crossplane.dev/auto': 'true'}) => ({
    ...REQUEST,
    metadata: {name, namespace: 'system', labels, annotations: {'kubectl-crossplane.dev/required-by': root}},
  })

  it('are those of the root that it does not require', () => {
    const requests = [
      made('required', 'team/app'),
      made('abandoned', 'team/app'),
      made('of-another', 'team/other'),
      {...made('by-a-user', 'team/app'), metadata: {...REQUEST.metadata, name: 'by-a-user'}},
    ]
    const installs = [
      {namespace: 'team', name: 'app'},
      {namespace: 'system', name: 'required'},
    ]
    const found = abandonedRequests({namespace: 'team', name: 'app'}, installs, requests)
    expect(found.map(({metadata}) => metadata.name)).toEqual(['abandoned'])
  })
})
