import type {Lock, LockedPackage} from '../../src/declaration/lock.js'

export const hash = (digit: string) => `sha256:${digit.repeat(64)}`

export const PROVIDER: LockedPackage = {
  identity: 'example/provider-cloud',
  tag: 'v0.10.0',
  version: '0.10.0',
  digest: hash('a'),
  summaryHash: hash('b'),
  installs: [
    {
      namespace: 'crossplane-system',
      name: 'example-provider-cloud',
      mode: 'auto',
      requestedFor: [],
      for: {
        'crossplane-system/example-stack': ['*.compute.example.org/v1'],
        'team-a/example-app': ['clusters.compute.example.org', 'sqls.database.example.org/v1'],
      },
      more: {},
    },
  ],
  more: {},
}

export const APP: LockedPackage = {
  identity: 'example/app',
  tag: 'v0.1.0',
  version: 'v0.1.0',
  summaryHash: hash('c'),
  installs: [
    {
      namespace: 'team-a',
      name: 'example-app',
      mode: 'requested',
      requestedFor: ['apps.app.example.org'],
      for: {},
      more: {},
    },
  ],
  more: {},
}

/** Two packages, a mismatch that somebody accepted, and a kind that is taken to be there. */
export const LOCK: Lock = {
  requestHash: hash('d'),
  renderVersion: 1,
  packages: [APP, PROVIDER],
  acceptedMismatches: [
    {crd: 'a.compute.example.org/v2', owner: 'example/provider-cloud', more: {}},
    {crd: 'b.compute.example.org/v2', owner: 'example/provider-cloud', requirer: 'example/app', more: {}},
  ],
  assumptions: {'pods.core.example.org/v1': 'assumed'},
  more: {},
}
