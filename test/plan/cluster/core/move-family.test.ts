import {describe, expect, it} from '@jest/globals'
import {CrossplaneError} from '../../../../src/errors.js'
import {desiredPackages} from '../../../../src/plan/cluster/core/desired-set.js'
import {lockProblems} from '../../../../src/plan/cluster/core/lock/lock-problems.js'
import {lostObjects} from '../../../../src/plan/cluster/core/lock/lost-objects.js'
import {backward, forward, newHandOvers} from '../../../../src/plan/cluster/core/move-contents.js'
import {handOverOperations} from '../../../../src/plan/cluster/core/move-operations.js'
import {
  continueRejections,
  finishedRejections,
  movingRejections,
  withWayOn,
} from '../../../../src/plan/cluster/core/move-continuation.js'
import type {CoreState} from '../../../../src/plan/cluster/state/core-state.js'
import {MOVE, unfinishedMoves} from '../../../../src/plan/cluster/state/move-state.js'
import {API, DIGEST, HEX, lines, lock, provider, revision, state} from './requests-that-move.js'

const NAMES = ['family', 'one'] as const
const reference = (place: string, name: string) => `h.io/${place}/${name}`
const old = (name: string) => provider(`old-${name}`, reference('old', name))
const begun = newHandOvers(
  NAMES.map((name, order) => ({
    from: old(name),
    to: {name: `new-${name}`, reference: `${reference('new', name)}:v1.0.0`, digest: DIGEST, order},
    risks: {stops: [], creates: []},
  })),
)
const annotationsOf = (name: string) => {
  const one = begun.find(({to}) => to.name === `new-${name}`)
  return {[MOVE]: String(one?.to.content.metadata.annotations?.[MOVE])}
}
const next = (name: string, isMarked = true) =>
  provider(`new-${name}`, reference('new', name), isMarked ? {annotations: annotationsOf(name)} : {})

/** A cluster in which all of these requests run, and members require their families. */
const running = (...requests: CoreState['requests']) =>
  state(
    requests,
    requests.map(({name}) => revision(name)),
    lock(
      ...requests.map(({name, repository}) => {
        const family = `${repository.slice(0, repository.lastIndexOf('/'))}/family`
        return repository === family ? ([name, repository] as const) : ([name, repository, family] as const)
      }),
    ),
  )
const planned = (core: CoreState, plan: typeof forward) =>
  lines(handOverOperations(plan(unfinishedMoves(core), core), core))
const changes = (all: readonly string[]) => all.filter(line => !line.startsWith('wait'))

describe('a family that is stopped', () => {
  it('while its first request begins, or its last one goes, goes on with all members', () => {
    const core = running(old('family'), old('one'), next('family'))
    expect(changes(planned(core, forward))).toEqual([
      `apply Provider new-one ${reference('new', 'one')}:v1.0.0 marked`,
      'apply Provider old-one Manual',
      `apply ProviderRevision old-one-${HEX} Inactive`,
      'apply Provider old-family Manual',
      `apply ProviderRevision old-family-${HEX} Inactive`,
      'delete Provider old-one',
      'delete Provider old-family',
      `apply Provider new-family ${reference('new', 'family')}:v1.0.0`,
      `apply Provider new-one ${reference('new', 'one')}:v1.0.0`,
    ])
    expect(changes(planned(core, backward))).toEqual([
      'apply Provider new-family Manual',
      `apply ProviderRevision new-family-${HEX} Inactive`,
      'delete Provider new-family',
    ])
  })

  it('and then requested again by the same words has the same records', () => {
    const core = running(old('family'), old('one'), next('family'))
    const [, one] = forward(unfinishedMoves(core), core)
    expect(one?.to.content.metadata.annotations).toEqual(annotationsOf('one'))
  })

  it('at its end only goes on: the annotations are removed together', () => {
    const core = running(next('family', false), next('one'))
    const moves = unfinishedMoves(core)
    expect(planned(core, forward)).toEqual([
      `apply Provider new-family ${reference('new', 'family')}:v1.0.0`,
      `apply Provider new-one ${reference('new', 'one')}:v1.0.0`,
      'wait Provider new-family',
      'wait Provider new-one',
    ])
    expect(continueRejections(forward(moves, core), core, 'continue', [])).toEqual([])
    expect(finishedRejections(moves, core)).toMatchObject([
      {rule: 'xpkg-move-unfinished', suggestions: ['kubectl crossplane package move --continue']},
    ])
  })

  it('is not continued where another package requires the former family by now', () => {
    const app = provider('app', 'h.io/old/app')
    const core = running(old('family'), old('one'), next('family'), next('one'), app)
    const moves = unfinishedMoves(core)
    const rules = (all: ReturnType<typeof continueRejections>) => all.map(({rule}) => rule)
    expect(rules(continueRejections(forward(moves, core), core, 'continue', []))).toEqual(['xpkg-required'])
    expect(rules(continueRejections(backward(moves, core), core, 'back', []))).toEqual([])
  })

  it.each(['continue', 'back'] as const)(
    'does not %s where a Usage protects what would be deleted',
    direction => {
      const core = running(old('family'), old('one'), next('family'))
      const moves = unfinishedMoves(core)
      const usage = (name: string) => ({
        ...{apiVersion: 'protection.crossplane.io/v1beta1', kind: 'ClusterUsage', metadata: {name}},
        spec: {of: {apiVersion: API, kind: 'Provider', resourceRef: {name}}},
      })
      const packages = direction === 'back' ? backward(moves, core) : forward(moves, core)
      const usages = [usage('old-family'), usage('new-family')]
      expect(continueRejections(packages, core, direction, usages)).toMatchObject([
        {
          rule: 'usage-exists',
          message: expect.stringContaining(direction === 'back' ? 'new-family' : 'old-family'),
        },
      ])
    },
  )

  it('is not continued where a request has the name for another package', () => {
    const core = running(old('family'), old('one'), next('family'), provider('new-one', 'h.io/x/one'))
    const packages = forward(unfinishedMoves(core), core)
    expect(continueRejections(packages, core, 'continue', []).map(({rule}) => rule)).toEqual([
      'xpkg-move-exists',
    ])
    const back = changes(planned(core, backward))
    expect(back.filter(line => line.includes('new-one'))).toEqual([])
  })
})

describe('a move that is stopped', () => {
  it('goes back while Crossplane cannot resolve dependencies, and doctor says why', () => {
    const whole = running(old('family'), next('family'), old('one'), next('one'))
    const core = {...whole, lock: {...whole.lock, problem: 'no such tag'}}
    const moves = unfinishedMoves(core)
    expect(continueRejections(forward(moves, core), core, 'continue', []).map(({rule}) => rule)).toEqual([
      'core-lock',
    ])
    expect(continueRejections(backward(moves, core), core, 'back', [])).toEqual([])
    expect(lockProblems(core, []).map(({kind}) => kind)).toEqual(['move', 'move', 'failure'])
  })

  it('is not changed by another command', () => {
    const core = running(old('family'), old('one'), next('family'))
    const rules = (name: string) => movingRejections([{kind: 'Provider', name}], core).map(({rule}) => rule)
    expect(['new-family', 'old-one', 'new-one', 'app'].map(rules)).toEqual([
      ...[['xpkg-move-unfinished'], ['xpkg-move-unfinished'], ['xpkg-move-unfinished'], []],
    ])
    const [family] = begun
    const install = desiredPackages([{stage: 1, object: family?.to.final ?? old('one').object}], core, {
      ...{roots: new Map(), configured: new Set(), packages: []},
    })
    expect(install.rejections.map(({rule}) => rule)).toContain('xpkg-move-unfinished')
  })

  it('keeps a tag that a user corrected', () => {
    const spec = {package: `${reference('new', 'one')}:v1.0.1`}
    const own = provider('new-one', reference('new', 'one'), {annotations: annotationsOf('one'), spec})
    const core = running(next('family'), own)
    expect(planned(core, forward)).toContain(`apply Provider new-one ${spec.package}`)
  })

  it('says how it goes on, whatever stops it after its first change', () => {
    const ways = ['kubectl crossplane package move --continue', 'kubectl crossplane package move --back']
    const denied = new CrossplaneError('cluster-denied', 'no', {suggestions: ways.slice(0, 1)})
    expect(withWayOn(denied, true)).toMatchObject({code: 'cluster-denied', suggestions: ways})
    expect(withWayOn(denied, false)).toBe(denied)
  })

  it('is known only from a request that this program applied', () => {
    const {object, ...request} = next('family')
    const {managedFields: _managers, ...metadata} = object.metadata
    expect(unfinishedMoves({requests: [{...request, object: {...object, metadata}}]})).toEqual([])
  })

  it('gives a request that was made again the policy of its user, also after it is stopped once more', () => {
    const spec = {revisionActivationPolicy: 'Manual'}
    const [own] = newHandOvers([
      {
        from: provider('old-one', reference('old', 'one'), {spec}),
        to: {name: 'new-one', reference: `${reference('new', 'one')}:v1.0.0`, digest: DIGEST, order: 0},
        risks: {stops: [], creates: []},
      },
    ])
    const annotations = {[MOVE]: String(own?.to.content.metadata.annotations?.[MOVE])}
    const marked = provider('new-one', reference('new', 'one'), {annotations})
    const policies = [old('one'), provider('old-one', reference('old', 'one'), {spec})].map(former =>
      planned(running(former, marked), backward).at(-2),
    )
    expect(policies).toEqual([
      `apply Provider old-one Manual ${reference('old', 'one')}:v1.0.0`,
      `wait ProviderRevision new-one-${HEX}`,
    ])
  })
})

describe('objects are lost', () => {
  it('with a revision whose request is being deleted', () => {
    const next = provider('new-one', reference('new', 'one'), {deleted: true})
    const former = old('one')
    const {requests, revisions} = running(former, next)
    const crd = {
      ...{kind: 'CustomResourceDefinition', name: 'crd', uid: 'crd'},
      owners: revisions.map(({uid}) => uid),
    }
    expect(lostObjects([former], {requests, revisions}, [crd])).toEqual([crd])
  })
})
