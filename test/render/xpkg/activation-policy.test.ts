import {describe, expect, it} from '@jest/globals'
import {type Activation, activationPolicies} from '../../../src/render/xpkg/activation-policy.js'
import type {ClosurePackage} from '../../../src/render/xpkg/closure.js'
import type {XpkgObject} from '../../../src/xpkg/content/xpkg.js'

const object = (role: XpkgObject['role'], name: string): XpkgObject => ({
  ...{role, name, apiVersion: '', kind: '', file: 'package.yaml', line: 1, functions: []},
})
const crd = (group: string, kind: string): XpkgObject => ({
  ...object('crd', kind),
  defines: {group, kind, plural: `${kind.toLowerCase()}s`, scope: 'Cluster', versions: ['v1']},
})
const pkg = (kind: string, name: string, content: Partial<ClosurePackage>): ClosurePackage => ({
  ...{kind, repository: `example.org/team/${name}`, version: 'v1.0.0', dependencies: []},
  ...content,
})

const sql = pkg('Provider', 'sql', {
  capabilities: ['Safe_Start'],
  objects: [
    ...['Database', 'Table', 'ClusterProviderConfigUsage'].map(kind => crd('sql.example.org', kind)),
    crd('config.example.org', 'ProviderConfig'),
  ],
})
const old = pkg('Provider', 'old', {objects: [crd('old.example.org', 'Thing')]})
const composing = (functionName: string): ClosurePackage =>
  pkg('Configuration', 'config', {
    objects: [
      {
        ...object('composition', 'databases'),
        composes: {
          kinds: [{group: 'sql.example.org', version: 'v1', kind: 'Database'}],
          unread: [functionName],
        },
      },
    ],
  })

interface Row {
  readonly name: string
  readonly packages: readonly ClosurePackage[]
  readonly activation: Activation
  readonly coreVersion: string
  readonly want: readonly string[]
}

const rows: readonly Row[] = [
  {
    name: 'all kinds of safe-start, by group',
    ...{packages: [sql, old], activation: 'all', coreVersion: 'v2.3.4'},
    want: ['*.sql.example.org'],
  },
  {
    name: 'those that Compositions use',
    ...{packages: [sql, old, composing('f')], activation: 'used', coreVersion: 'v2.3.4'},
    want: ['databases.sql.example.org'],
  },
  {
    name: 'and those that all others need, where they are managed resources',
    ...{packages: [sql, composing('f')], activation: 'used', coreVersion: 'v2.1.0'},
    want: ['clusterproviderconfigusages.sql.example.org', 'databases.sql.example.org'],
  },
  {
    name: 'none where the cluster has policies',
    ...{packages: [sql], activation: 'none', coreVersion: 'v2.3.4'},
    want: [],
  },
  {
    name: 'names and patterns, also of kinds that are not in the set',
    ...{packages: [sql, old], activation: {names: ['x.sql.example.org', 'd*']}, coreVersion: 'v2.3.4'},
    want: ['d*', 'x.sql.example.org'],
  },
  {
    name: 'none of an empty list',
    ...{packages: [sql, old], activation: {names: []}, coreVersion: 'v2.3.4'},
    want: [],
  },
  {
    name: 'none without safe-start',
    ...{packages: [old], activation: 'all', coreVersion: 'v2.3.4'},
    want: [],
  },
  {
    name: 'none for a Crossplane that has no policies',
    ...{packages: [sql], activation: 'all', coreVersion: 'v1.20.0'},
    want: [],
  },
]

describe('the activation of managed resources', () => {
  it.each(rows)('$name', ({packages, activation, coreVersion, want}) => {
    const {policies} = activationPolicies(packages, activation, {name: 'x', coreVersion})
    expect(policies.flatMap(({spec}) => (spec as {activate: readonly string[]}).activate)).toEqual(want)
  })

  it('warns of a policy with *, packages without safe-start, and functions that cannot be read', () => {
    const {warnings} = activationPolicies([sql, old, composing('f-go')], 'used', {name: 'x'})
    const text = warnings.map(({message}) => message).join('\n')
    for (const part of ['provider.defaultActivations', 'example.org/team/old', 'databases (f-go)'])
      expect(text).toContain(part)
  })

  it('warns of names that no kind of the set has', () => {
    const activation = {names: ['databases.sql.example.org', 'x.sql.example.org', 'y*', 't*']}
    const text = activationPolicies([sql], activation, {name: 'x'}).warnings.map(({message}) => message)
    expect(text.at(-1)).toContain('has the kinds x.sql.example.org, y*')
  })

  it('of all kinds leaves nothing to the policies of packages', () => {
    const config = pkg('Configuration', 'config', {objects: [object('activation-policy', 'some')]})
    const rulesOf = (packages: readonly ClosurePackage[], activation: Activation) =>
      activationPolicies(packages, activation, {name: 'x'}).warnings.map(({rule}) => rule)
    expect(rulesOf([sql, config], 'all')).toEqual(['xpkg-activation-void'])
    expect(rulesOf([old, config], 'all')).toEqual([])
    expect(rulesOf([sql, config], 'used')).toEqual(['xpkg-activation'])
  })

  it('by used is rejected for a Crossplane that has no policies', () => {
    expect(() => activationPolicies([sql], 'used', {name: 'x', coreVersion: 'v1.20.0'})).toThrow(
      '--activate requires Crossplane v2.0',
    )
  })
})
