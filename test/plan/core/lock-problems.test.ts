import {describe, expect, it} from '@jest/globals'
import type {CoreRequest, CoreRevision, CoreState, OwnedObject} from '../../../src/plan/core/core-state.js'
import {lockProblems} from '../../../src/plan/core/lock-problems.js'
import {lostObjects} from '../../../src/plan/core/lost-objects.js'
import {planLockRepair} from '../../../src/plan/core/plan-lock-repair.js'

const SOURCE = 'r.example.org/x/dep'

function request(name: string, more: Partial<CoreRequest> = {}): CoreRequest {
  const object = {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name, uid: name}}
  const texts = {kind: 'Provider', name, uid: name, repository: SOURCE, reference: `${SOURCE}:v1.0.0`}
  return {...texts, created: '2026-01-01T00:00:00Z', isByCore: false, isTerminating: false, object, ...more}
}

function revision(name: string, of: string, number = 1, desiredState = 'Active'): CoreRevision {
  const metadata = {name, uid: name}
  const object = {apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision', metadata}
  return {kind: 'Provider', name, uid: name, request: of, number, desiredState, isTerminating: false, object}
}

function entry(name: string, source = SOURCE, requires: readonly string[] = []) {
  const dependencies = requires.map(repository => ({repository, constraints: '*'}))
  return {kind: 'Provider', revision: name, source, version: 'v1.0.0', dependencies}
}

function owned(name: string, ...owners: readonly string[]): OwnedObject {
  return {kind: 'ManagedResourceDefinition', name, uid: name, owners}
}

const TWO: CoreState = {
  requests: [request('one', {created: '2026-01-02T00:00:00Z'}), request('two')],
  revisions: [revision('one-1', 'one'), revision('two-1', 'two')],
  lock: {packages: [entry('one-1'), entry('two-1')], failure: 'node already exists'},
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
    const state = {...TWO, requests: [one!, request('two', {isByCore: true})]}
    expect(lockProblems(state, [])).toMatchObject([{because: 'by-user', kept: {name: 'one'}}])
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
      entry('one-1', SOURCE, ['r.example.org/x/b']),
      entry('b-1', 'r.example.org/x/b', [SOURCE]),
    ]
    const state = {...TWO, requests: [TWO.requests[0]!], lock: {packages, failure: 'detected cycle'}}
    expect(lockProblems(state, [])).toMatchObject([
      {kind: 'cycle', sources: [SOURCE, 'r.example.org/x/b', SOURCE]},
      {kind: 'name', derived: 'x-dep', request: {name: 'one'}},
    ])
  })

  it('reports failures of other kinds in the words of Crossplane', () => {
    const state = {...TWO, lock: {packages: [], failure: 'no version'}}
    expect(lockProblems(state, [])).toEqual([{kind: 'failure', message: 'no version'}])
  })
})
