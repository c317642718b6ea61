import {describe, expect, it} from '@jest/globals'
import {applyPlan} from '../../src/apply/apply-plan.js'
import {UNKNOWN_CLUSTER} from '../../src/plan/cluster/access/read-access.js'
import {coreLock, coreRequest, coreRevision} from '../../src/plan/cluster/core/read-core-object.js'
import {resolverOperations} from '../../src/plan/cluster/core/resolver-change.js'
import type {Operation} from '../../src/plan/plan.js'
import {json, scriptedApi} from '../cluster/api/scripted-api.js'

const API = 'pkg.crossplane.io/v1'
const REVISION = {
  ...{apiVersion: API, kind: 'ProviderRevision'},
  metadata: {name: 'app-1', uid: 'of-app-1', labels: {'pkg.crossplane.io/package': 'app'}},
  spec: {image: 'h.io/app:v1', desiredState: 'Active'},
}

function coreWith(policy: string) {
  const object = {
    ...{apiVersion: API, kind: 'Provider', metadata: {name: 'app', uid: 'of-app'}},
    spec: {package: 'h.io/app:v1', revisionActivationPolicy: policy, skipDependencyResolution: true},
    status: {currentRevision: 'app-1'},
  }
  const entry = {name: 'app-1', kind: 'Provider', source: 'h.io/app', dependencies: [{package: 'h.io/dep'}]}
  return {
    requests: [coreRequest('Provider', object)],
    revisions: [coreRevision('Provider', REVISION)],
    lock: coreLock({packages: [entry]}),
  }
}

const resource = {resource: 'providerrevisions', responseKind: {kind: 'ProviderRevision'}, scope: 'Cluster'}
const KINDS = new Map([
  [
    '/apis',
    json({
      kind: 'APIGroupDiscoveryList',
      items: [
        {
          metadata: {name: 'pkg.crossplane.io'},
          versions: [{version: 'v1', resources: [{...resource, verbs: ['get', 'patch'], shortNames: []}]}],
        },
      ],
    }),
  ],
])

describe('a change that does not wait', () => {
  it.each(['Automatic', 'Manual'])(
    'waits all the same for a package whose revision it makes inactive, with the policy %s',
    async policy => {
      const {api} = scriptedApi(() => json(REVISION), undefined, KINDS)
      const waited: string[] = []
      const wait = (operations: readonly Operation[]) => {
        waited.push(...operations.map(({object}) => `${object?.kind ?? ''} ${object?.name ?? ''}`))
        return Promise.resolve()
      }
      const operations = resolverOperations([], coreWith(policy), 'off')
      await applyPlan({operations, unchanged: 0, rejections: []}, UNKNOWN_CLUSTER, {
        ...{api, wait, waitsForAll: false, signal: new AbortController().signal},
        report: () => undefined,
      })
      expect(waited).toEqual(['Lock lock', 'Provider app'])
    },
  )
})
