import {describe, expect, it} from '@jest/globals'
import {movedRequirer} from '../../../../src/plan/cluster/core/changed-requirers.js'
import {backward, forward, newHandOvers} from '../../../../src/plan/cluster/core/move-contents.js'
import {continueRejections, movingRejections} from '../../../../src/plan/cluster/core/move-continuation.js'
import {handOverOperations} from '../../../../src/plan/cluster/core/move-operations.js'
import {earlyRejections, moveRejections} from '../../../../src/plan/cluster/core/move-rejections.js'
import {
  otherVersionRejections,
  stillRequiredRejections,
  unchangedRejections,
} from '../../../../src/plan/cluster/core/move-requirers.js'
import {rejection, withMoveAdvice} from '../../../../src/plan/cluster/core/moved-package.js'
import {instancesRejections, KEEP_ADVICE} from '../../../../src/plan/cluster/uninstall/uninstall-impact.js'
import type {CoreState} from '../../../../src/plan/cluster/state/core-state.js'
import {MOVE, unfinishedMoves} from '../../../../src/plan/cluster/state/move-state.js'
import {present} from '../../../../src/present.js'
import {asObjects, type JsonObject} from '../../../../src/yaml/json-value.js'
import {DIGEST, HEX, lines, lock, provider, revision, state} from './requests-that-move.js'

const [OLD, NEW, APP] = ['h.io/market/sql', 'h.io/community/sql', 'h.io/market/app']
const NEXT_APP = 'market-app-fedcba987654'

const old = provider('market-sql', OLD)
const app = (tag = 'v1.0.0', spec: JsonObject = {}) =>
  provider('market-app', APP, {spec: {package: `${APP}:${tag}`, ...spec}}, 'Configuration')
const to = {reference: `${APP}:v2.0.0`, revision: NEXT_APP}
const begun = () =>
  newHandOvers([
    {
      from: old,
      to: {name: 'community-sql', reference: `${NEW}:v1.0.0`, digest: DIGEST, order: 0},
      risks: {stops: [], creates: []},
      requirers: [{...movedRequirer(app(), to), live: app()}],
    },
  ])
const next = () => {
  const annotations = {[MOVE]: String(begun()[0]?.to.content.metadata.annotations?.[MOVE])}
  return provider('community-sql', NEW, {annotations})
}
const changes = (operations: Parameters<typeof lines>[0]) =>
  lines(operations).filter(line => !line.startsWith('wait Provider'))
const CHANGED = ['apply Configuration market-app h.io/market/app:v2.0.0', `wait Lock +${NEXT_APP}`]
/** The Configuration requires the one or the other. */
const locked = (requires: string, name = 'market-app') =>
  lock(['market-sql', OLD], ['community-sql', NEW], [name, APP, requires])
const running = (requests: CoreState['requests'], own: CoreState['lock']) =>
  state(requests, [revision('market-sql'), revision('community-sql')], own)

describe('a Configuration that requires a package', () => {
  it('changes once the second request is there, and before the first one stops', () => {
    const core = state([old, app()], [revision('market-sql')], locked(OLD))
    expect(changes(handOverOperations(begun(), core))).toEqual([
      `apply Provider community-sql ${NEW}:v1.0.0 marked`,
      `wait Lock +community-sql-${HEX}`,
      ...CHANGED,
      `wait Lock -market-app-${HEX}`,
      'wait Configuration market-app',
      'apply Provider market-sql Manual',
      `apply ProviderRevision market-sql-${HEX} Inactive`,
      `wait Lock -market-sql-${HEX} Inactive`,
      'delete Provider market-sql',
      `apply Provider community-sql ${NEW}:v1.0.0`,
    ])
  })

  it('changes when a move goes on, and changes back when it is undone', () => {
    const core = running([old, next(), app()], locked(OLD))
    const moves = unfinishedMoves(core)
    expect(changes(handOverOperations(forward(moves, core), core)).slice(0, 2)).toEqual(CHANGED)
    expect(continueRejections(forward(moves, core), core, 'continue', [])).toEqual([])
    const changed = running([old, next(), app('v2.0.0')], locked(NEW, 'market-app'))
    const back = backward(unfinishedMoves(changed), changed)
    expect(changes(handOverOperations(back, changed))[0]).toBe(
      'apply Configuration market-app h.io/market/app:v1.0.0',
    )
    expect(continueRejections(back, changed, 'back', [])).toEqual([])
  })

  it('stays as it is where a user changed it to another version, which stops a move if that requires the former package', () => {
    const core = running([old, next(), app('v1.5.0')], locked(OLD))
    const moves = unfinishedMoves(core)
    expect(changes(handOverOperations(forward(moves, core), core))[0]).toBe(
      'apply Provider market-sql Manual',
    )
    expect(continueRejections(forward(moves, core), core, 'continue', []).map(({rule}) => rule)).toEqual([
      'xpkg-required',
    ])
  })

  it('is not changed by another command while the move lasts', () => {
    const core = running([old, next(), app()], locked(OLD))
    const rules = movingRejections([{kind: 'Configuration', name: 'market-app'}], core).map(({rule}) => rule)
    expect(rules).toEqual(['xpkg-move-unfinished'])
  })

  it('is as a user requested it from then on, unless only others require it', () => {
    const {object, ...request} = app()
    const {managedFields: _managers, ...metadata} = object.metadata
    expect(movedRequirer({...request, object: {...object, metadata}}, to)).toMatchObject({
      from: {requestedAs: 'v1.0.0'},
      to: {requestedAs: 'v2.0.0'},
    })
    expect(movedRequirer(app(), to)).toMatchObject({from: {revision: `market-app-${HEX}`}, to})
  })

  it.each<{readonly name: string; readonly spec: JsonObject}>([
    {name: 'skips the resolver', spec: {skipDependencyResolution: true}},
    {name: 'is requested by its digest', spec: {package: `${APP}@${DIGEST}`}},
    {name: 'is activated by its user', spec: {revisionActivationPolicy: 'Manual'}},
  ])('is rejected if it $name', ({spec}) => {
    const core = state([old, app()], [revision('market-sql')], lock(['market-sql', OLD]))
    const cluster = {core, coreVersion: 'v2.3.4', owned: [], usages: [], problemOf: () => undefined}
    const rejected = earlyRejections([], cluster, [app('v1.0.0', spec)])
    expect(rejected.map(({rule}) => rule)).toContain('xpkg-move-unsupported')
  })

  it.each([
    {
      name: 'requires nothing that moves',
      requires: 'h.io/other',
      to: NEW,
      after: undefined,
      want: ['xpkg-move-unsupported'],
    },
    {
      ...{name: 'requires what keeps its repository', requires: OLD, to: OLD},
      ...{after: undefined, want: ['xpkg-move-unsupported']},
    },
    {
      ...{name: 'has the content of its new version', requires: OLD, to: NEW},
      ...{after: `market-app-${HEX}`, want: ['xpkg-move-unsupported']},
    },
    {name: 'changes its content', requires: OLD, to: NEW, after: NEXT_APP, want: []},
  ])('that $name is judged before the first change', ({requires, to: repository, after, want}) => {
    const core = state([old, app()], [revision('market-sql')], locked(requires))
    const one = {from: app(), tag: 'v2.0.0', ...(after === undefined ? {} : {revision: after})}
    const rejected = unchangedRejections([one], [{from: old, repository}], core)
    expect(rejected.map(({rule}) => rule)).toEqual(want)
    for (const {suggestions} of rejected) expect(suggestions).toEqual(['Leave out --with market-app:v2.0.0.'])
  })

  it('that keeps its revision is not awaited in the Lock', () => {
    const core = state([old, app()], [revision('market-sql')], locked(OLD))
    const [one] = begun()
    const requirers = one?.requirers?.map(own => ({...own, to: {...own.to, revision: own.from.revision}}))
    const operations = one === undefined ? [] : handOverOperations([{...one, ...present({requirers})}], core)
    expect(changes(operations).filter(line => line.includes('market-app-'))).toEqual([])
  })

  it.each([
    {name: 'another kind', own: {kind: 'Function'}},
    {name: 'another package', own: {to: {reference: 'evil.io/x:v1', revision: 'x'}}},
    {name: 'a digest', own: {to: {reference: `${APP}@${DIGEST}`, revision: 'x'}}},
    {name: 'no name', own: {name: ''}},
  ])('with $name in the annotation makes that no record of a move', ({own}) => {
    const [first, ...others] = JSON.parse(
      String(next().object.metadata.annotations?.[MOVE]),
    ) as readonly JsonObject[]
    const changed = JSON.stringify([
      {...first, requirers: asObjects(first?.requirers).map(one => ({...one, ...own}))},
      ...others,
    ])
    const request = provider('community-sql', NEW, {annotations: {[MOVE]: changed}})
    expect(unfinishedMoves({requests: [old, next(), app()]})).toHaveLength(1)
    expect(unfinishedMoves({requests: [old, request, app()]})).toEqual([])
  })

  it('is rejected without flags of other commands where custom resources do not fit', () => {
    const text = (suggestions?: readonly string[]) => rejection('usage-impact', 'text', suggestions)
    const first =
      'A move accepts no effects on custom resources: change or delete them first, or move to a version with the same CRDs, and upgrade that with --accept-impact.'
    expect(
      withMoveAdvice([
        text(['kubectl get owns', 'Pass --accept-impact to accept the effects on custom resources.']),
        ...instancesRejections([{crd: 'owns.example.org', instances: 1, first: [], users: []}], KEEP_ADVICE),
        text(['kubectl get owns']),
        text(),
      ]).map(({suggestions}) => suggestions),
    ).toEqual([
      ['kubectl get owns', first],
      ['kubectl get owns.example.org --all-namespaces', KEEP_ADVICE[0]],
      ['kubectl get owns'],
      undefined,
    ])
  })

  it('has to fit the versions that are installed', () => {
    const fn = provider('fn', 'h.io/fn', {}, 'Function')
    const rejected = (version: string) =>
      otherVersionRejections([{repository: 'h.io/fn', version}], [old], state([old, fn], []))
    expect(rejected('v1.0.0')).toEqual([])
    expect(rejected('v2.0.0')).toMatchObject([
      {
        rule: 'xpkg-move-requires',
        message: expect.stringContaining('h.io/fn in the version v2.0.0, and v1.0.0 is installed'),
        suggestions: ['Upgrade it first: kubectl crossplane package upgrade h.io/fn:v2.0.0'],
      },
    ])
    expect(rejected(DIGEST)).toMatchObject([
      {suggestions: [`Upgrade it first: kubectl crossplane package upgrade h.io/fn@${DIGEST}`]},
    ])
    const own = otherVersionRejections([{repository: OLD, version: 'v2.0.0'}], [old], state([old, fn], []))
    expect(own).toEqual([])
  })

  it('has to require the new repository, and nothing that is not installed', () => {
    const requirer = (requires: readonly string[]) => ({repository: APP, version: 'v2.0.0', requires})
    const moves = [{from: old, repository: NEW}]
    expect(stillRequiredRejections([requirer([OLD])], moves)).toMatchObject([
      {rule: 'xpkg-required', message: expect.stringContaining(`${APP}:v2.0.0 requires ${OLD}`)},
    ])
    expect(stillRequiredRejections([requirer([NEW])], moves)).toEqual([])
    const core = state([old, app()], [revision('market-sql')], locked(OLD))
    const cluster = {core, coreVersion: 'v2.3.4', owned: [], usages: [], problemOf: () => undefined}
    const moved = {
      from: old,
      to: {name: 'community-sql', repository: NEW, kind: 'Provider', objects: [], requires: []},
    }
    const rules = (requires?: readonly string[]) =>
      moveRejections([moved], cluster, requires === undefined ? [] : [requirer(requires)]).map(
        ({rule}) => rule,
      )
    expect([rules(), rules([NEW]), rules([NEW, 'h.io/absent'])]).toEqual([
      ...[['xpkg-required'], [], ['xpkg-move-requires']],
    ])
  })
})
