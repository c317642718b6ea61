import {expect, it} from '@jest/globals'
import {clusterNames, lockRejections} from '../../../../src/plan/cluster/core/cluster-names.js'
import {coreLock, coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'

const DEP = 'h.io/team/dep'
const APP = 'h.io/team/app'

function request(
  kind: 'Provider' | 'Configuration',
  name: string,
  repository: string,
  skips = false,
  more: object = {},
) {
  const spec = {package: `${repository}:v1.0.0`, ...(skips ? {skipDependencyResolution: true} : {}), ...more}
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

const patch = (state: string, revision = 'my-app-0') =>
  `kubectl patch configurationrevision.pkg.crossplane.io/${revision} --type merge --patch '{"spec":{"desiredState":"${state}"}}'`

it.each([
  {name: 'nothing requires', as: 'my-dep', lock: EMPTY, skips: true, want: undefined},
  {name: 'has its derived name', as: 'team-dep', lock: REQUIRED, skips: true, want: undefined},
  {name: 'the core resolves', as: 'my-dep', lock: REQUIRED, skips: false, want: []},
  {
    name: 'is required by a rest in the Lock',
    as: 'my-dep',
    lock: REQUIRED,
    skips: true,
    want: [patch('Inactive')],
  },
])('a package that $name is rejected with $want', ({as, lock, skips, want}) => {
  const dep = request('Provider', as, DEP, skips)
  const core = {requests: [dep, request('Configuration', 'my-app', APP, skips)], lock}
  const [rejection] = lockRejections(dep, core)
  expect(rejection?.suggestions?.filter(text => text.startsWith('kubectl patch'))).toEqual(want)
})

/** The commands of a rejection, where the Lock has a rest of a Configuration with this entry and these settings. */
function patchesFor(entry: {readonly name: string; readonly kind: string}, more: object): readonly string[] {
  const lock = coreLock({packages: [{...entry, source: APP, dependencies: [{package: DEP}]}]})
  const dep = request('Provider', 'my-dep', DEP, true)
  const core = {requests: [dep, request('Configuration', 'my-app', APP, true, more)], lock}
  const [rejection] = lockRejections(dep, core)
  return (rejection?.suggestions ?? []).filter(text => text.includes('kubectl patch'))
}

it('commands have no text of the Lock that a shell or kubectl would read as more than a name', () => {
  expect(patchesFor({name: 'my-app-0', kind: 'x;touch /tmp/x #'}, {})).toEqual([patch('Inactive')])
  expect(patchesFor({name: '--server=https://x.example.org', kind: 'Configuration'}, {})).toEqual([
    patch('Inactive', '--server=https://x.example.org'),
  ])
  const [quoted = ''] = patchesFor({name: "a';b", kind: 'Configuration'}, {})
  expect(quoted).toContain(String.raw` 'configurationrevision.pkg.crossplane.io/a'\'';b' --type`)
})

it('a revision that the core does not activate is to be activated again', () => {
  const patches = patchesFor({name: 'my-app-0', kind: 'Configuration'}, {revisionActivationPolicy: 'Manual'})
  expect(patches).toEqual([
    patch('Inactive'),
    `Set it to Active again afterwards, as its activation policy is Manual: ${patch('Active')}`,
  ])
})
