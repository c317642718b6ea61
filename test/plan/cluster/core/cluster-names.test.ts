import {expect, it} from '@jest/globals'
import {clusterNames, lockRejections} from '../../../../src/plan/cluster/core/cluster-names.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'

const DEP = 'h.io/team/dep'
const APP = 'h.io/team/app'

function request(kind: 'Provider' | 'Configuration', name: string, repository: string, skips = false) {
  const spec = {package: `${repository}:v1.0.0`, ...(skips ? {skipDependencyResolution: true} : {})}
  return coreRequest(kind, {apiVersion: 'pkg.crossplane.io/v1', kind, metadata: {name}, spec})
}

/** A Lock in which app requires dep. */
const REQUIRED = coreLock({
  packages: [{name: 'my-app-0', kind: 'Configuration', source: APP, dependencies: [{package: DEP}]}],
})
const EMPTY = coreLock(undefined)

it.each([
  {name: 'nothing requires it', isResolved: true, lock: EMPTY, want: 'my-dep'},
  {name: 'the Lock requires it', isResolved: true, lock: REQUIRED, want: 'team-dep'},
  {name: 'the core resolves nothing', isResolved: false, lock: REQUIRED, want: 'my-dep'},
  {
    name: 'the declaration says another one',
    isResolved: true,
    lock: EMPTY,
    declared: [DEP],
    want: 'team-dep',
  },
])('a request has the name $want if $name', ({isResolved, lock, declared = [], want}) => {
  const named = {
    packages: [{repository: DEP, kind: 'Provider', dependencies: []}],
    names: new Map([[DEP, 'team-dep']]),
  }
  const core = {requests: [request('Provider', 'my-dep', DEP)], lock}
  const names = clusterNames(named, core, {declared: new Set(declared), isResolved})
  expect(names.get(DEP)).toBe(want)
})

const FLUSH = 'kubectl crossplane package upgrade --resolver=off'

it.each([
  {name: 'nothing requires', as: 'my-dep', lock: EMPTY, skips: true, want: undefined},
  {name: 'has its derived name', as: 'team-dep', lock: REQUIRED, skips: true, want: undefined},
  {name: 'the core resolves', as: 'my-dep', lock: REQUIRED, skips: false, want: []},
  {name: 'is required by a rest in the Lock', as: 'my-dep', lock: REQUIRED, skips: true, want: [FLUSH]},
])('a package that $name is rejected with $want', ({as, lock, skips, want}) => {
  const dep = request('Provider', as, DEP, skips)
  const core = {requests: [dep, request('Configuration', 'my-app', APP, skips)], lock}
  const [rejection] = lockRejections(dep, core)
  expect(rejection?.suggestions?.filter(text => text === FLUSH)).toEqual(want)
})
