import {expect, it} from '@jest/globals'
import type {ClusterApi, ResourceKind} from '../../../src/cluster/api/cluster-api.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {listPackages} from '../../../src/pipeline/cluster/core/list-packages.js'

const API = 'pkg.crossplane.io/v1'
const provider = (name: string, reference: string): KubernetesObject => ({
  ...{apiVersion: API, kind: 'Provider', metadata: {name, uid: name}},
  spec: {package: reference},
})

const requests = [
  provider('hub', 'docker.io/x/hub:v1.0.0'),
  provider('pinned', `registry.example.org/x/pinned@sha256:${'0'.repeat(64)}`),
  provider('sql', 'registry.example.org/x/sql:v1.0.0'),
]

const api = {
  discover: () =>
    Promise.resolve({
      find: (apiVersion: string, kind: string) => (apiVersion === API ? {kind} : undefined),
    }),
  list: async function* ({kind}: ResourceKind) {
    await Promise.resolve()
    if (kind === 'Provider') yield* requests
  },
  get: () => Promise.resolve(undefined),
} as unknown as ClusterApi

it('shows newer versions of the packages that are requested by a tag', async () => {
  const asked: unknown[] = []
  const warning = {
    severity: 'warning',
    rule: 'newest-unknown',
    message: 'x',
  } as const
  const {packages, warnings} = await listPackages(
    {
      selection: {selector: []},
      selectsPackages: true,
      findNewest: (identities, format) => {
        asked.push({identities, format})
        const versions = new Map([
          ['x/hub', 'v1.0.0'],
          ['registry.example.org/x/sql', 'v1.1.0'],
        ])
        return Promise.resolve({versions, warnings: [warning]})
      },
    },
    api,
  )
  expect(asked).toEqual([{identities: ['x/hub', 'registry.example.org/x/sql'], format: 'xpkg'}])
  expect(packages.map(({name, available}) => [name, available])).toEqual([
    ['hub', undefined],
    ['pinned', undefined],
    ['sql', 'v1.1.0'],
  ])
  expect(warnings).toEqual([warning])
})
