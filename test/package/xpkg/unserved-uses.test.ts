import {expect, it} from '@jest/globals'
import {type SetMember, unservedUses} from '../../../src/package/xpkg/unserved-uses.js'
import type {XpkgObject} from '../../../src/xpkg/content/xpkg.js'

const object = (role: XpkgObject['role'], more: Partial<XpkgObject>): XpkgObject => ({
  ...{
    role,
    name: 'buckets',
    apiVersion: '',
    kind: 'Composition',
    file: 'package.yaml',
    line: 1,
    functions: [],
  },
  ...more,
})

const app: SetMember = {
  repository: 'example.org/team/app',
  kind: 'Configuration',
  objects: [
    object('composition', {
      functions: [{function: 'team-function-make', line: 1}],
      composes: {
        kinds: [
          {group: 's3.example.org', version: 'v1beta1', kind: 'Bucket'},
          {group: '', version: 'v1', kind: 'ConfigMap'},
        ],
        unread: [],
      },
    }),
  ],
}

const operation: SetMember = {
  repository: 'example.org/team/operations',
  kind: 'Configuration',
  objects: [
    object('operation', {kind: 'CronOperation', functions: [{function: 'team-function-make', line: 1}]}),
  ],
}

const make = (capabilities: readonly string[]): SetMember => ({
  ...{repository: 'example.org/team/function-make', kind: 'Function', objects: [], capabilities},
})

const storage = (...served: readonly string[]): SetMember => ({
  repository: 'example.org/team/storage',
  kind: 'Provider',
  objects: [
    object('crd', {
      kind: 'CustomResourceDefinition',
      crds: [
        {
          ...{group: 's3.example.org', kind: 'Bucket', plural: 'buckets', singular: 'bucket'},
          ...{scope: 'Cluster', served, stored: 'v1'},
        },
      ],
    }),
  ],
})

it.each([
  {name: 'everything is served', members: [app, make([]), storage('v1beta1', 'v1')], want: []},
  {name: 'a kind of no package', members: [app, make(['composition'])], want: []},
  {name: 'another version', members: [app, make([]), storage('v1')], want: ['xpkg-kind-unserved']},
  {name: 'a function for operations', members: [app, make(['operation'])], want: ['xpkg-capability-missing']},
  {
    name: 'a function for Compositions that an operation calls',
    members: [operation, make(['composition'])],
    want: ['xpkg-capability-missing'],
  },
  {name: 'a function for operations in other letters', members: [operation, make(['Operation'])], want: []},
  {name: 'no function that an operation calls', members: [operation], want: ['xpkg-function-missing']},
  {name: 'no function', members: [app], want: ['xpkg-function-missing']},
  {
    name: 'a function with the short name that people give it',
    members: [
      {
        ...app,
        objects: [object('composition', {functions: [{function: 'function-make', line: 1}]})],
      },
      make([]),
    ],
    want: [],
  },
])('warns of what no package serves: $name', ({members, want}) => {
  expect(unservedUses(members, []).map(({rule}) => rule)).toEqual(want)
})

it('knows the functions of a cluster', () => {
  const repository = 'example.org/team/function-make'
  expect(unservedUses([app], [{repository, name: 'other'}])).toEqual([])
  expect(unservedUses([app], [{repository: 'example.org/x', name: 'team-function-make'}])).toEqual([])
})
