import {describe, expect, it} from '@jest/globals'
import type {CoreRequest, CoreRevision, CoreState} from '../../../../../src/plan/cluster/state/core-state.js'
import {lockProblems} from '../../../../../src/plan/cluster/core/lock/lock-problems.js'
import {lostObjects, type OwnedObject} from '../../../../../src/plan/cluster/core/lock/lost-objects.js'
import {planLockRepair} from '../../../../../src/plan/cluster/core/lock/plan-lock-repair.js'
import {coreLock, coreRequest, coreRevision} from '../../../../../src/plan/cluster/core/read-core-object.js'
import type {JsonObject} from '../../../../../src/yaml/json-value.js'

const REPOSITORY = 'r.example.org/x/dep'

const API = 'pkg.crossplane.io/v1'

function request(name: string, more: JsonObject = {}): CoreRequest {
  const metadata = {name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z', ...more}
  const spec = {package: `${REPOSITORY}:v1.0.0`}
  return coreRequest('Provider', {apiVersion: API, kind: 'Provider', metadata, spec})
}

function setBy(...managers: readonly string[]): JsonObject {
  const fieldsV1 = {'f:spec': {'f:package': {}}}
  const status = {manager: 'crossplane', fieldsV1: {'f:status': {}}}
  return {managedFields: [status, ...managers.map(manager => ({manager, fieldsV1}))]}
}

function revision(name: string, of: string, number = 1): CoreRevision {
  const metadata = {name, uid: name, labels: {'pkg.crossplane.io/package': of}}
  const spec = {image: `${REPOSITORY}:v1.0.0`, revision: number, desiredState: 'Active'}
  return coreRevision('Provider', {apiVersion: API, kind: 'ProviderRevision', metadata, spec})
}

function entry(name: string, source = REPOSITORY, requires: readonly string[] = []) {
  const dependencies = requires.map(repository => ({package: repository, constraints: '*'}))
  return {type: 'Provider', name, source, version: 'v1.0.0', dependencies}
}

function lock(packages: readonly ReturnType<typeof entry>[], message: string) {
  const conditions = [{type: 'Resolved', status: 'False', message}]
  return coreLock({packages: [...packages], status: {conditions}})
}

function owned(name: string, ...owners: readonly string[]): OwnedObject {
  return {kind: 'ManagedResourceDefinition', name, uid: name, owners}
}

const TWO: CoreState = {
  requests: [request('one', {creationTimestamp: '2026-01-02T00:00:00Z'}), request('two')],
  revisions: [revision('one-1', 'one'), revision('two-1', 'two')],
  lock: lock([entry('one-1'), entry('two-1')], 'node already exists'),
}

describe('the problems of a Lock', () => {
  it.each([
    {name: 'the owner', objects: [owned('a', 'one', 'one-1')], kept: 'one', because: 'owner'},
    {name: 'the older of two without objects', objects: [], kept: 'two', because: 'older'},
    {
      name: 'the owner of objects that nothing else owns, although it owns less',
      objects: [
        owned('a', 'one', 'two'),
        owned('b', 'two', 'one'),
        owned('c', 'two', 'one'),
        owned('d', 'one'),
      ],
      kept: 'one',
      because: 'owner',
    },
  ])('keeps $name', ({objects, kept, because}) => {
    const [problem, ...others] = lockProblems(TWO, objects)
    expect(others).toEqual([])
    expect(problem).toMatchObject({kind: 'requests', because, kept: {name: kept}, lost: []})
  })

  it('keeps the request of a user rather than one of Crossplane', () => {
    const [one] = TWO.requests
    const state = {...TWO, requests: [one!, request('two', setBy('crossplane'))]}
    expect(lockProblems(state, [])).toMatchObject([{because: 'by-user', kept: {name: 'one'}}])
  })

  it.each([[[]], [['kubectl']], [['crossplane', 'kubectl']]])(
    'takes a request set by %j for that of a user',
    by => {
      expect(request('one', setBy(...by)).isByCore).toBe(false)
    },
  )

  it('deactivates all but the newest revision of a request', () => {
    const state = {...TWO, revisions: [revision('one-1', 'one'), revision('two-1', 'one', 2)]}
    const problems = lockProblems(state, [])
    expect(problems).toMatchObject([{kind: 'revisions', kept: {name: 'two-1'}, others: [{name: 'one-1'}]}])
    const {operations} = planLockRepair(problems, state)
    expect(operations).toMatchObject([
      {
        action: 'apply',
        object: {kind: 'ProviderRevision', name: 'one-1'},
        content: expect.stringContaining('Inactive'),
      },
    ])
  })

  it('deletes nothing if each request owns something alone, also through another object', () => {
    const objects = [owned('a', 'one'), owned('crd', 'a'), owned('b', 'two-1')]
    const problems = lockProblems(TWO, objects)
    expect(problems).toMatchObject([{kind: 'requests', lost: [{name: 'a'}, {name: 'crd'}]}])
    const {operations, rejections} = planLockRepair(problems, TWO)
    expect(operations).toEqual([])
    expect(rejections).toMatchObject([{rule: 'core-lock', severity: 'error'}])
  })

  it('does not rely on owners that are being deleted, or of unknown kinds', () => {
    const terminating = {...TWO.revisions[0]!, isTerminating: true}
    const state = {...TWO, revisions: [terminating, TWO.revisions[1]!]}
    const objects = [owned('a', 'one-1', 'two-1'), owned('b', 'unknown', 'one'), owned('c', 'unknown')]
    const lostWith = (removed: CoreRequest) => lostObjects([removed], state, objects).map(({name}) => name)
    expect(state.requests.map(lostWith)).toEqual([['b'], ['a']])
  })

  it('finds cycles once, and names that Crossplane does not derive', () => {
    const packages = [
      entry('one-1', REPOSITORY, ['r.example.org/x/b']),
      entry('b-1', 'r.example.org/x/b', [REPOSITORY]),
    ]
    const state = {...TWO, requests: [TWO.requests[0]!], lock: lock(packages, 'detected cycle')}
    expect(lockProblems(state, [])).toMatchObject([
      {kind: 'cycle', repositories: [REPOSITORY, 'r.example.org/x/b', REPOSITORY]},
      {kind: 'name', derived: 'x-dep', request: {name: 'one'}},
    ])
  })

  it('reports failures of other kinds in the words of Crossplane', () => {
    const state = {...TWO, lock: lock([], 'no version')}
    expect(lockProblems(state, [])).toEqual([{kind: 'failure', message: 'no version'}])
  })
})
