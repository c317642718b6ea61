import {describe, expect, it} from '@jest/globals'
import {LEAVING} from '../../../../src/declaration/moving-objects.js'
import {leftPairs} from '../../../../src/plan/cluster/core/left-pairs.js'
import {lock, provider, revision, state} from './requests-that-move.js'

const leaving = (name: string, own: Parameters<typeof provider>[2] = {}) =>
  provider(`old-${name}`, `h.io/old/${name}`, {
    spec: {revisionActivationPolicy: 'Manual'},
    annotations: {[LEAVING]: 'true'},
    ...own,
  })
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

  it.each([
    {name: 'are not stopped', one: leaving('one', {spec: {}})},
    {name: 'did not leave by a move', one: leaving('one', {annotations: {}})},
    {name: 'are being deleted', one: leaving('one', {deleted: true})},
  ])('are not those that $name', ({one}) => {
    expect(pairs(staying, core([one, next('family'), next('one')]), [crd])).toEqual([])
  })

  it('are none where the tree has neither of both, or one of them is not known', () => {
    expect(pairs(new Set(['other']), core(), [crd])).toEqual([])
    expect(pairs(staying, core(), [])).toEqual([])
    expect(pairs(staying, core([...requests, leaving('other')]), [crd])).toEqual([])
  })
})
