import {describe, expect, it} from '@jest/globals'
import {keptAnnotations, LEAVING} from '../../../../src/declaration/moving-objects.js'
import {
  leftPairs,
  leftProblem,
  leftRequests,
  otherPackageRejections,
  unreadRejection,
  unreadyRejections,
} from '../../../../src/plan/cluster/core/left-pairs.js'
import {deployedMoves, forward} from '../../../../src/plan/cluster/core/move-contents.js'
import {continueRejections} from '../../../../src/plan/cluster/core/move-continuation.js'
import {handOverOperations} from '../../../../src/plan/cluster/core/move-operations.js'
import {ownerRejections} from '../../../../src/plan/cluster/core/move-rejections.js'
import type {CoreRequest} from '../../../../src/plan/cluster/state/core-state.js'
import {HEX, lines, lock, provider, revision, state} from './requests-that-move.js'

const leaving = (name: string, own: Parameters<typeof provider>[2] = {}) =>
  provider(`old-${name}`, `h.io/old/${name}`, {
    spec: {revisionActivationPolicy: 'Manual'},
    annotations: keptAnnotations('true'),
    ...own,
  })
/** The same as commits of this version leave it: it names the request to which its package moved. */
const leavingTo = (to: string, name: string) => leaving(name, {annotations: keptAnnotations(to)})
const next = (name: string) => provider(`new-${name}`, `h.io/new/${name}`)
/** A family with a member, which left the tree, and both requests of the tree. */
const requests = [leaving('family'), leaving('one'), next('family'), next('one')]
const core = (all = requests) =>
  state(
    all,
    all.map(({name}) => revision(name)),
    lock(
      ...(['old', 'new'] as const).flatMap(place => [
        [`${place}-family`, `h.io/${place}/family`] as const,
        [`${place}-one`, `h.io/${place}/one`, `h.io/${place}/family`] as const,
      ]),
    ),
  )
const staying = new Set(['new-family', 'new-one'])
const crd = {
  ...{kind: 'CustomResourceDefinition', name: 'ones.example.org', uid: 'crd'},
  owners: core()
    .revisions.filter(({request}) => request.endsWith('one'))
    .map(({uid}) => uid),
}
const pairs = (...parts: Parameters<typeof leftPairs>) =>
  leftPairs(...parts).map(({from, to}) => `${from.name} to ${to.name}`)

describe('packages that commits moved, and this cluster did not', () => {
  it('are known by their CRDs, and a family without CRDs by what its members require', () => {
    expect(pairs(staying, core(), [crd])).toEqual(['old-family to new-family', 'old-one to new-one'])
  })

  it('are known by the name that they have, also before a new request owns anything', () => {
    const named = [leavingTo('new-family', 'family'), leavingTo('new-one', 'one')]
    const ofOld = {...crd, owners: crd.owners.slice(0, 1)}
    const all = core([...named, next('family'), next('one')])
    expect(pairs(staying, all, [ofOld])).toEqual(['old-family to new-family', 'old-one to new-one'])
    expect(pairs(staying, core(), [ofOld])).toEqual([])
    expect(leftRequests(staying, all).map(({name}) => name)).toEqual(['old-family', 'old-one'])
  })

  it.each([
    {name: 'are not stopped', one: leaving('one', {spec: {}})},
    {name: 'did not leave by a move', one: leaving('one', {annotations: {}})},
    {name: 'are not protected', one: leaving('one', {annotations: {[LEAVING]: 'new-one'}})},
    {name: 'are being deleted', one: leaving('one', {deleted: true})},
  ])('are not those that $name', ({one}) => {
    expect(pairs(staying, core([one, next('family'), next('one')]), [crd])).toEqual([])
  })

  it('are known by their repository where only the name changes: the new request owns nothing before the former one stops', () => {
    const renamed = provider('new-one', 'h.io/old/one')
    const all = [leaving('one'), renamed]
    const locked = lock(['old-one', 'h.io/old/one'], ['new-one', 'h.io/old/one'])
    const own = state(
      all,
      all.map(({name}) => revision(name)),
      locked,
    )
    const ofOld = {...crd, owners: crd.owners.slice(0, 1)}
    expect(pairs(new Set(['new-one']), own, [ofOld])).toEqual(['old-one to new-one'])
    const [pair] = leftPairs(new Set(['new-one']), own, [ofOld])
    const packages = forward(deployedMoves(pair === undefined ? [] : [pair], own), own)
    expect(continueRejections(packages, own, 'continue', [])).toEqual([])
    expect(lines(handOverOperations(packages, own))).toContain(`wait Lock -old-one-${HEX} Inactive`)
  })

  it('are rejected where Crossplane has not looked at the new request, or its package cannot be read', () => {
    const {revision: _revision, ...unready} = next('one')
    const rules = (to: CoreRequest) => unreadyRejections([{from: leaving('one'), to}]).map(({rule}) => rule)
    expect([rules(next('one')), rules(unready)]).toEqual([[], ['xpkg-not-healthy']])
    expect(unreadRejection(next('one'), 'no such host')).toMatchObject({
      ...{severity: 'error', rule: 'xpkg-use-unknown'},
      message: expect.stringContaining('h.io/new/one:v1.0.0 is not known: it cannot be read: no such host'),
    })
  })

  it.each([
    {name: 'the former request', owner: 'old-one', want: []},
    {name: 'the new request', owner: 'new-one', want: []},
    {name: 'another one', owner: 'new-family', want: ['xpkg-move-owner']},
  ])('can have objects of the new package that $name controls: $want', ({owner, want}) => {
    const own = core()
    const controller = own.revisions.find(({request}) => request === owner)?.uid ?? ''
    const to = {...next('one'), objects: [`${crd.kind}/${crd.name}`], requires: []}
    const owned = [{...crd, owners: [controller], controller}]
    const rejected = ownerRejections({from: leaving('one'), to}, {core: own, owned}, [next('one')])
    expect(rejected.map(({rule}) => rule)).toEqual(want)
  })

  it('can only go on, so that no advice leads back', () => {
    const required = provider('app', 'h.io/app', {}, 'Configuration')
    const all = [leaving('one'), next('one'), required]
    const own = state(
      all,
      all.map(({name}) => revision(name)),
      lock(['old-one', 'h.io/old/one'], ['new-one', 'h.io/new/one'], ['app', 'h.io/app', 'h.io/old/one']),
    )
    const packages = forward(deployedMoves(leftPairs(new Set(['new-one']), own, [crd]), own), own)
    expect(continueRejections(packages, own, 'continue', [], ['ONWARD'])).toMatchObject([
      {
        rule: 'xpkg-required',
        suggestions: ['Upgrade them first, to versions that do not require h.io/old/one.', 'ONWARD'],
      },
    ])
  })

  it('are handed over in the order in which they require each other, whatever their names are', () => {
    const named = ['aws-s3', 'family-aws'].map(name => leavingTo(`new-${name}`, name))
    const all = [...named, next('aws-s3'), next('family-aws')]
    const own = state(
      all,
      all.map(({name}) => revision(name)),
      lock(
        ...(['old', 'new'] as const).flatMap(place => [
          [`${place}-aws-s3`, `h.io/${place}/aws-s3`, `h.io/${place}/family-aws`] as const,
          [`${place}-family-aws`, `h.io/${place}/family-aws`] as const,
        ]),
      ),
    )
    const moves = deployedMoves(leftPairs(new Set(['new-aws-s3', 'new-family-aws']), own, []), own)
    expect(moves.map(({record}) => [record.order, record.from])).toEqual([
      [0, 'old-family-aws'],
      [1, 'old-aws-s3'],
    ])
    const stops = lines(handOverOperations(forward(moves, own), own)).filter(line =>
      line.includes('Revision'),
    )
    expect(stops.slice(0, 2)).toEqual([
      `apply ProviderRevision old-aws-s3-${HEX} Inactive`,
      `apply ProviderRevision old-family-aws-${HEX} Inactive`,
    ])
  })

  it('are all handed over where they require each other', () => {
    const own = state(
      requests,
      [],
      lock(['a', 'h.io/old/one', 'h.io/old/family'], ['b', 'h.io/old/family', 'h.io/old/one']),
    )
    const all = ['one', 'family'].map(name => ({from: leaving(name), to: next(name)}))
    expect(deployedMoves(all, own).map(({record}) => record.from)).toEqual(['old-one', 'old-family'])
  })

  it('are those of this tree, beside a move of another tree whose commits are not finished', () => {
    const all = core([leavingTo('new-one', 'one'), leavingTo('x', 'other'), next('one')])
    expect(pairs(new Set(['new-one']), all, [])).toEqual(['old-one to new-one'])
    expect(pairs(new Set(['y']), all, [])).toEqual([])
  })

  it('are not known where two requests name the same one', () => {
    const all = core([leavingTo('new-one', 'one'), leavingTo('new-one', 'other'), next('one')])
    expect(pairs(staying, all, [])).toEqual([])
  })

  it.each([
    {
      name: 'names a request that is not synced yet',
      all: [leavingTo('new-one', 'one')],
      want: 'to provider/new-one, which the commits of this path have, and this cluster does not have yet',
      advice: ['Wait until the cluster has synced the last commit, and run the command again.'],
    },
    {
      name: 'names a request of another tree',
      all: [leavingTo('x', 'one'), provider('x', 'h.io/x')],
      want: 'to provider/x, which the commits of this path do not have: those of another repository or path may have it',
      advice: ['Pass --git and --path as for the command that began it.'],
    },
    {
      name: 'names none',
      all: [leaving('one'), next('one')],
      want: 'that is not finished in this cluster, and it is not known which request has its package now',
      advice: [
        'Pass --git and --path as for the command that began it.',
        expect.stringMatching(/^If the last commit of that move was made: .* delete this request/u),
      ],
    },
    {
      name: 'names the same one as another',
      all: [leavingTo('new-one', 'one'), leavingTo('new-one', 'other'), next('one')],
      want: 'that is not finished in this cluster, and it is not known which request has its package now',
      advice: [expect.any(String), expect.any(String)],
    },
    {
      name: 'is that of this tree, beside one of another tree',
      all: [leavingTo('x', 'another'), leavingTo('new-one', 'one')],
      want: 'to provider/new-one, which the commits of this path have, and this cluster does not have yet',
      advice: [expect.any(String)],
    },
  ])('cannot be handed over where one $name', ({all, want, advice}) => {
    const problem = leftProblem(staying, core(all), [])
    expect(problem).toMatchObject({
      message: expect.stringContaining(`provider/old-one is left of a move ${want}`),
      suggestions: [...advice, 'kubectl crossplane package status provider.pkg.crossplane.io/old-one'],
    })
  })

  it('are no problem where there are none', () => {
    expect(leftProblem(staying, core([next('one')]), [])).toBeUndefined()
  })

  it.each([
    {name: 'have no CRDs', crds: [], want: []},
    {name: 'have a CRD of the new one', crds: ['ones.example.org', 'others.example.org'], want: []},
    {name: 'have other CRDs than the new one', crds: ['others.example.org'], want: ['xpkg-move-unsupported']},
  ])('are rejected by what they name: $want where they $name', ({crds, want}) => {
    const kind = 'CustomResourceDefinition'
    const owned = crds.map(name => ({apiVersion: 'apiextensions.k8s.io/v1', kind, metadata: {name}}))
    const pair = {from: leavingTo('new-one', 'one'), to: next('one')}
    expect(
      otherPackageRejections(pair, owned, [{kind, name: 'ones.example.org'}]).map(({rule}) => rule),
    ).toEqual(want)
  })

  it('are none where the tree has neither of both, or one of them is not known', () => {
    expect(pairs(new Set(['other']), core(), [crd])).toEqual([])
    expect(pairs(staying, core(), [])).toEqual([])
    expect(pairs(staying, core([...requests, leaving('other')]), [crd])).toEqual([])
  })
})
