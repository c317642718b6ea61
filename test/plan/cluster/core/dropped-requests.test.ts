import {expect, it} from '@jest/globals'
import {droppedRequests} from '../../../../src/plan/cluster/core/dropped-requests.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'

/** A request of this program, for other packages unless a user requested it. */
function request(name: string, {isRequested = false, skips = false} = {}) {
  return coreRequest('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {
      ...{name, uid: name, managedFields: [{manager: 'crossplane-packages', operation: 'Apply'}]},
      annotations: isRequested ? {'kubectl-crossplane/requested-as': 'v1.0.0'} : {},
    },
    spec: {package: `h.io/${name}:v1.0.0`, ...(skips ? {skipDependencyResolution: true} : {})},
  })
}

/** The Lock of a, which requires b, which requires c. */
const LOCK = coreLock({
  packages: [
    ['a', 'b'],
    ['b', 'c'],
    ['c', ''],
  ].map(([name = '', required]) => ({
    ...{name: `${name}-1`, kind: 'Provider', source: `h.io/${name}`, version: 'v1.0.0'},
    dependencies: required === '' ? [] : [{package: `h.io/${required}`, constraints: '>=v1.0.0'}],
  })),
})
const A = request('a', {isRequested: true})
const [B, C] = [request('b'), request('c')]
const next = (name: string, ...requires: readonly string[]) => ({
  repository: `h.io/${name}`,
  dependencies: requires.map(required => ({package: `h.io/${required}`})),
})
const NEW_B =
  'new versions of h.io/a do not require provider.pkg.crossplane.io/b, which stays in the cluster unused'
const ONLY_B = 'only h.io/b requires provider.pkg.crossplane.io/c, which stays in the cluster unused'

it.each([
  {
    name: 'what a new version requires no more, and what only that requires',
    of: [next('a')],
    want: [NEW_B, ONLY_B],
  },
  {name: 'nothing that the new version requires', of: [next('a', 'b')], want: []},
  {name: 'nothing that another new version requires', of: [next('a'), next('d', 'b')], want: []},
  {name: 'not what another new version requires of it', of: [next('a'), next('d', 'c')], want: [NEW_B]},
  {
    name: 'nothing that a user requested',
    of: [next('a')],
    requests: [A, request('b', {isRequested: true}), C],
    want: [],
  },
  {name: 'nothing that the change requests', of: [next('a'), next('b', 'c')], asks: ['h.io/b'], want: []},
  {
    name: 'nothing where it is unknown what a package requires',
    of: [next('a')],
    requests: [A, B, C, request('d', {isRequested: true, skips: true})],
    want: [],
  },
])('names $name', ({of, requests = [A, B, C], asks = [], want}) => {
  const requested = new Map(asks.map(repository => [repository, 'v1.0.0']))
  const notes = droppedRequests(of, {requests, lock: LOCK}, requested)
  expect(notes.map(({message}) => message)).toEqual(want)
  for (const {rule, severity} of notes)
    expect({rule, severity}).toEqual({rule: 'xpkg-dropped', severity: 'note'})
})

it('names the command that removes what is left', () => {
  const [note] = droppedRequests([next('a')], {requests: [A, B, C], lock: LOCK}, new Map())
  expect(note?.suggestions).toEqual([
    'Once the new versions are active: kubectl crossplane package uninstall provider.pkg.crossplane.io/b',
  ])
})
