import {expect, it} from '@jest/globals'
import {CONTENT_MANAGER} from '../../../../src/cluster/claims.js'
import {clusterPin} from '../../../../src/plan/cluster/core/cluster-pin.js'
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
  {name: 'no packages', of: [], want: 'config'},
  {name: 'tags', of: [{resolved: TAG}], want: 'tag'},
  {name: 'tags that ImageConfigs rewrite', of: [{resolved: DIGEST}], want: 'config'},
  {name: 'some tags that ImageConfigs rewrite', of: [{resolved: TAG}, {resolved: DIGEST}], want: 'config'},
  {name: 'a tag that Crossplane has not read', of: [{resolved: TAG}, {}], want: 'config'},
  {name: 'tags of other programs', of: [{resolved: TAG, by: 'flux'}], want: 'config'},
  {name: 'tags beside those of others', of: [{resolved: TAG}, {resolved: DIGEST, by: 'flux'}], want: 'tag'},
  {
    name: 'tags, and a package that is required by digest',
    of: [{resolved: TAG}, {reference: DIGEST, resolved: DIGEST}],
    want: 'tag',
  },
  {name: 'a package without resolver', of: [{resolved: TAG}, {skips: true}], want: 'digest'},
])('the pin of a cluster with $name is $want', ({of, want}) => {
  expect(clusterPin({requests: of.map(request)})).toBe(want)
})
