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

function calling(name: string): SetMember {
  return {...app, objects: [object('composition', {functions: [{function: name, line: 1}]})]}
}

function named(name: string): SetMember {
  return {...make([]), name}
}

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
    name: 'a function that has its name from the declaration',
    members: [calling('make'), named('make')],
    want: [],
  },
])('warns of what no package serves: $name', ({members, want}) => {
  expect(unservedUses(members, []).map(({rule}) => rule)).toEqual(want)
})

const REPOSITORY = 'example.org/team/function-make'

it.each([
  {
    name: 'the last part of its repository',
    members: [calling('function-make'), make([])],
    want: `: ${REPOSITORY} is requested as team-function-make`,
  },
  {
    name: 'the derived name of a function that has another one',
    members: [app, named('make')],
    want: `: ${REPOSITORY} is requested as make`,
  },
  {
    name: 'the derived name of one that a cluster has under another one',
    members: [app, make([])],
    besides: [{repository: REPOSITORY, name: 'make'}],
    want: `: ${REPOSITORY} is requested as make`,
  },
  {
    name: 'the repository of another function of the cluster',
    members: [app],
    besides: [{repository: REPOSITORY, name: 'other'}],
    want: `: ${REPOSITORY} is requested as other`,
  },
  {name: 'any name', members: [calling('other'), make([])], want: ''},
])('warns where Crossplane does not find a function by $name', ({members, besides = [], want}) => {
  const [warning, ...more] = unservedUses(members, besides)
  expect(more).toEqual([])
  expect(warning?.rule).toBe('xpkg-function-missing')
  expect(warning?.message).toMatch(new RegExp(`which the set does not have${want}$`))
})

it.each([
  {name: 'of the set', members: [calling('make'), make([])]},
  {name: 'of no package of the set', members: [calling('make')]},
])('finds a function $name by the name that it has in a cluster', ({members}) => {
  expect(unservedUses(members, [{repository: REPOSITORY, name: 'make'}])).toEqual([])
})
