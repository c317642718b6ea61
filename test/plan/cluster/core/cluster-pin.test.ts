import {expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import {clusterPinning, pinningIn, pinRejections} from '../../../../src/plan/cluster/core/cluster-pin.js'
import {coreRequest} from '../../../../src/plan/cluster/core/read-core-object.js'

interface Requested {
  readonly reference?: string
  readonly resolved?: string
  readonly skips?: boolean
  readonly by?: string
}

const TAG = 'h.io/team/app:v1'
const DIGEST = 'h.io/team/app@sha256:0'

function request({reference = TAG, resolved, skips = false, by = CONTENT_MANAGER}: Requested) {
  return coreRequest('Provider', {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Provider',
    metadata: {name: 'app', uid: 'app', managedFields: [{manager: by, operation: 'Apply'}]},
    spec: {package: reference, skipDependencyResolution: skips},
    status: {resolvedPackage: resolved ?? null},
  })
}

it.each([
  {name: 'no packages', of: [], want: {pin: 'config', resolver: 'on'}},
  {name: 'tags', of: [{resolved: TAG}], want: {pin: 'tag', resolver: 'on'}},
  {name: 'tags that ImageConfigs rewrite', of: [{resolved: DIGEST}], want: {pin: 'config', resolver: 'on'}},
  {
    name: 'some tags that ImageConfigs rewrite',
    of: [{resolved: TAG}, {resolved: DIGEST}],
    want: {pin: 'config', resolver: 'on'},
  },
  {
    name: 'a tag that Crossplane has not read',
    of: [{resolved: TAG}, {}],
    want: {pin: 'config', resolver: 'on'},
  },
  {name: 'tags of other programs', of: [{resolved: TAG, by: 'flux'}], want: {pin: 'config', resolver: 'on'}},
  {
    name: 'tags beside those of others',
    of: [{resolved: TAG}, {resolved: DIGEST, by: 'flux'}],
    want: {pin: 'tag', resolver: 'on'},
  },
  {
    name: 'tags, and a package that is required by digest',
    of: [{resolved: TAG}, {reference: DIGEST, resolved: DIGEST}],
    want: {pin: 'tag', resolver: 'on'},
  },
  {
    name: 'a package without resolver',
    of: [{resolved: TAG}, {skips: true}],
    want: {pin: 'config', resolver: 'off'},
  },
  {
    name: 'digests without resolver',
    of: [{resolved: TAG}, {skips: true, reference: DIGEST}],
    want: {pin: 'digest', resolver: 'off'},
  },
])('the pin of a cluster with $name is $want', ({of, want}) => {
  expect(clusterPinning({requests: of.map(request)})).toEqual(want)
})

const SKIPS = [{skips: true, reference: DIGEST}]

it.each([
  {name: 'nothing', of: SKIPS, asked: {}, want: {pin: 'digest', resolver: 'off'}},
  {name: 'tags', of: SKIPS, asked: {pin: 'tag'}, want: {pin: 'tag', resolver: 'on'}},
  {name: 'the resolver', of: SKIPS, asked: {resolver: 'on'}, want: {pin: 'config', resolver: 'on'}},
  {
    name: 'no resolver',
    of: [{resolved: TAG}],
    asked: {resolver: 'off'},
    want: {pin: 'config', resolver: 'off'},
  },
  {name: 'digests', of: [{resolved: TAG}], asked: {pin: 'digest'}, want: {pin: 'digest', resolver: 'off'}},
] as const)('a user who asks for $name gets what the cluster has besides', ({of, asked, want}) => {
  expect(pinningIn({requests: of.map(request)}, asked)).toEqual(want)
})

const CHANGE = 'kubectl crossplane package upgrade --resolver='

it.each([
  {
    of: [{resolved: TAG}],
    asked: {pin: 'digest'},
    want: ['Pass --pin=config or --pin=tag.', `${CHANGE}off`],
  },
  {of: [{resolved: TAG}], asked: {resolver: 'off'}, want: [`${CHANGE}off`]},
  {of: SKIPS, asked: {resolver: 'on'}, want: ['Pass --resolver=off or --pin=digest.', `${CHANGE}on`]},
  {of: SKIPS, asked: {resolver: 'off'}, want: undefined},
] as const)(
  'a user who asks for $asked in a cluster with other packages is told: $want',
  ({of, asked, want}) => {
    const [rejection] = pinRejections(asked, {requests: of.map(request)})
    expect(rejection?.suggestions).toEqual(want)
  },
)
