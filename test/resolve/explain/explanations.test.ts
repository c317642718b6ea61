import {describe, expect, it} from '@jest/globals'
import type {SolverInput} from '../../../src/resolve/solver-input.js'
import type {SolveOptions} from '../../../src/resolve/solve.js'
import {expectGolden} from '../../golden.js'
import {pigeons} from '../adversarial-worlds.js'
import {explained, input, root, solved, version} from '../world.js'
import {app, excluded, OTHER_SQL, requirement, sql, twins, unreadable} from './required-sql.js'

interface Case {
  readonly name: string
  readonly in: SolverInput
  readonly options?: Partial<SolveOptions>
  /** The rule that must be among the findings. */
  readonly rule: string
}

const CASES: readonly Case[] = [
  {
    name: 'two owners of a group, of which one can be read only after a login',
    in: requirement(
      'databases.sql.org/v1',
      [sql('v1.0.0', 'v1'), OTHER_SQL],
      excluded('private', 'the registry refuses access to it'),
    ),
    rule: 'ambiguous-owner',
  },
  {name: 'a group without an owner', in: requirement('things.nowhere.org/v1'), rule: 'missing-group'},
  {
    name: 'a group that is spelled wrong',
    in: requirement('databases.sqll.org/v1', [sql('v1.0.0', 'v1')]),
    rule: 'missing-group',
  },
  {
    name: 'a kind that moved to another group',
    in: requirement('databases.old.example.net/v1', [sql('v1.0.0', 'v1')]),
    rule: 'missing-group',
  },
  {
    name: 'a group without an owner, with unreadable packages',
    in: requirement('things.nowhere.org/v1', [], {unreadable: [unreadable]}),
    rule: 'unreadable-candidate',
  },
  {
    name: 'a group that no version can do without',
    in: input(
      ['example/app'],
      ['v1.0.0', 'v2.0.0', 'v3.0.0'].map(tag =>
        version(`example/app:${tag}`, {requires: ['things.nowhere.org/v1']}),
      ),
    ),
    rule: 'missing-group',
  },
  {
    name: 'a kind without an owner',
    in: requirement('tables.sql.org/v1', [sql('v1.0.0', 'v1')]),
    rule: 'missing-crd',
  },
  {
    name: 'a group that never had a kind',
    in: requirement('things.core.crossplane.io/v1'),
    rule: 'never-existed-group',
  },
  {
    name: 'a version that is no longer served',
    in: requirement('databases.sql.org/v1alpha1', [sql('v1.0.0', 'v1beta1'), sql('v2.0.0', 'v1')]),
    rule: 'stale-version',
  },
  {
    name: 'a version that Crossplane itself does not serve',
    in: requirement('buckets.storage.org/v2', [], {
      facts: [{origin: 'crossplane', group: 'storage.org', plural: 'buckets', served: ['v1alpha1']}],
    }),
    rule: 'stale-version',
  },
  {
    name: 'a version that the cluster does not serve',
    in: requirement('buckets.storage.org/v2', [], {
      facts: [{origin: 'cluster', group: 'storage.org', plural: 'buckets', served: ['v1alpha1']}],
    }),
    rule: 'stale-version',
  },
  {
    name: 'two dependents that require different versions',
    in: input(
      ['example/app', 'example/shop'],
      [
        app('databases.sql.org/v1'),
        version('example/shop:v3.0.0', {requires: ['databases.sql.org/v2']}),
        sql('v1.0.0', 'v1'),
        sql('v2.0.0', 'v2'),
      ],
    ),
    rule: 'version-conflict',
  },
  {
    name: 'a version that is not served beside one that only an old release serves',
    in: input(
      ['example/app'],
      [app('*.sql.org/v1alpha1', 'databases.sql.org/v9'), sql('v1.0.0', 'v1alpha1'), sql('v2.0.0', 'v1')],
    ),
    rule: 'stale-version',
  },
  {
    name: 'a package that needs its own kind in a version that it does not serve',
    in: input(['example/app'], [app('apps.app.org/v2')]),
    rule: 'stale-version',
  },
  {
    name: 'a conflict below the surface',
    in: input(
      ['example/app'],
      [
        app('databases.sql.org/v1', 'caches.cache.org/v1'),
        sql('v1.0.0', 'v1', ['disks.disk.org/v1']),
        version('example/cache:v1.0.0', {owns: ['caches.cache.org/v1'], requires: ['disks.disk.org/v2']}),
        version('example/cache:v1.1.0', {owns: ['caches.cache.org/v1'], requires: ['racks.rack.org/v1']}),
        version('example/disk:v1.0.0', {owns: ['disks.disk.org/v1']}),
        version('example/disk:v2.0.0', {owns: ['disks.disk.org/v2']}),
      ],
    ),
    rule: 'version-conflict',
  },
  {
    name: 'several owners',
    in: requirement('databases.sql.org/v1', [
      sql('v1.0.0', 'v1'),
      version('evil/sql:v99.0.0', {owns: ['databases.sql.org/v1,v2']}),
    ]),
    rule: 'ambiguous-owner',
  },
  {
    name: 'an owner that the reader does not trust',
    in: requirement('databases.sql.org/v1', [version('evil/sql:v99.0.0', {owns: ['databases.sql.org/v1']})], {
      owners: [{group: '*.org', identity: 'example/sql'}],
    }),
    rule: 'distrusted-owner',
  },
  {
    name: 'two packages that own the same CRD',
    in: input(
      ['example/sql', 'other/sql'],
      [sql('v1.0.0', 'v1'), version('other/sql:v1.0.0', {owns: ['databases.sql.org/v1']})],
    ),
    rule: 'ownership-conflict',
  },
  {name: 'a missing package', in: requirement('example/sql'), rule: 'missing-package'},
  {
    name: 'a missing tag',
    in: input(['example/sql:v9'], [sql('v1.0.0', 'v1')]),
    rule: 'missing-version',
  },
  {
    name: 'a package that has candidates only',
    in: requirement('databases.sql.org/v1', [sql('v1.0.0-rc.1', 'v1')]),
    rule: 'unstable-version',
  },
  {
    name: 'a package that was yanked',
    in: requirement('databases.sql.org/v1', [sql('v1.0.0', 'v1')], excluded('yanked', 'it loses data')),
    rule: 'yanked-version',
  },
  {
    name: 'a package that is private',
    in: requirement(
      'databases.sql.org/v1',
      [sql('v1.0.0', 'v1')],
      excluded('private', 'the registry refuses access to it'),
    ),
    rule: 'private-version',
  },
  {
    name: 'a package that does not match its entry',
    in: requirement(
      'databases.sql.org/v1',
      [sql('v1.0.0', 'v1')],
      excluded('lying', 'the package itself says otherwise of databases.sql.org'),
    ),
    rule: 'lying-candidate',
  },
  {
    name: 'a deleted package',
    in: requirement(
      'example/sql',
      [sql('v1.0.0', 'v1')],
      excluded('vanished', 'the registry has no example/sql:v1.0.0'),
    ),
    rule: 'vanished-version',
  },
  {
    name: 'a requested package that does not match its entry',
    in: requirement(
      'example/sql',
      [sql('v1.0.0', 'v1')],
      excluded('lying', 'the package itself says otherwise of databases.sql.org'),
    ),
    rule: 'lying-version',
  },
  {
    name: 'a package that cannot be read',
    in: requirement('example/dark', [], {unreadable: [unreadable]}),
    rule: 'unreadable-package',
  },
  {
    name: 'two packages under one tag',
    in: requirement('databases.sql.org/v1', [sql('v1.0.0', 'v1'), sql('v1.0.0', 'v2')]),
    rule: 'version-twice',
  },
  {
    name: 'a Cluster package that needs a Namespaced one',
    in: requirement('databases.sql.org/v1', [
      version('example/sql:v1.0.0', {owns: ['databases.sql.org/v1'], scope: 'Namespaced'}),
    ]),
    rule: 'scope',
  },
  {
    name: 'a Cluster package in two places',
    in: input(
      ['a', 'b'].map(namespace => root('example/sql', {namespace})),
      [sql('v1.0.0', 'v1')],
    ),
    rule: 'cluster-package-twice',
  },
  {
    name: 'two packages under one name',
    in: input(
      [root('example/sql', {name: 'it'}), root('example/app', {name: 'it'})],
      [sql('v1.0.0', 'v1'), app()],
    ),
    rule: 'name-collision',
  },
  {
    name: 'Namespaced packages without a namespace',
    in: input(
      ['example/one', 'example/two'],
      ['one', 'two'].map(name => version(`example/${name}:v1.0.0`, {scope: 'Namespaced'})),
    ),
    rule: 'no-namespace',
  },
  {name: 'more reasons than are shown', in: pigeons(7, 6), rule: 'more'},
]

const NOTES: readonly Case[] = [
  {
    name: 'an assumed CRD',
    in: requirement('*.core.crossplane.io/v1alpha1', [], {
      facts: [{origin: 'never-existed', group: 'core.crossplane.io', plural: '*'}],
    }),
    rule: 'never-existed-group',
  },
  {
    name: 'what the reader, Crossplane and Kubernetes have',
    in: input(
      ['example/app', 'example/shop'],
      [
        app('caches.cache.org/v1', 'buckets.storage.org/v1alpha1', 'deployments.apps/v1'),
        version('example/shop:v1.0.0', {requires: ['buckets.storage.org']}),
      ],
      {
        facts: [
          {origin: 'assumed', group: 'cache.org', plural: 'caches', served: ['v1']},
          {origin: 'crossplane', group: 'storage.org', plural: 'buckets', served: ['v1alpha1']},
          {origin: 'kubernetes', group: 'apps', plural: '*'},
        ],
      },
    ),
    rule: 'assumed-kubernetes',
  },
  {
    name: 'a version that owns a CRD of another package',
    in: input(
      ['example/app', 'example/cache'],
      [
        app('databases.sql.org/v1'),
        sql('v1.0.0', 'v1'),
        version('example/cache:v1.0.0', {owns: ['caches.cache.org']}),
        version('example/cache:v2.0.0', {owns: ['caches.cache.org', 'databases.sql.org/v1']}),
      ],
      {owners: [{group: 'sql.org', identity: 'example/sql'}]},
    ),
    rule: 'excluded-version',
  },
  {
    name: 'a single owner, and unreadable packages that could be another one',
    in: requirement('databases.sql.org/v1', [sql('v1.0.0', 'v1')], {unreadable: [unreadable]}),
    rule: 'unreadable-candidate',
  },
  {
    name: 'a provider that is held back by a stale wildcard',
    in: requirement('*.sql.org/v1alpha1', [
      sql('v0.9.0', 'v1alpha1'),
      sql('v0.10.0', 'v1beta1'),
      sql('v0.11.0', 'v1'),
    ]),
    rule: 'held-back',
  },
  {
    name: 'a provider that is held back by what it needs itself',
    in: requirement('databases.sql.org/v1', [
      sql('v1.0.0', 'v1'),
      sql('v2.0.0', 'v1', ['disks.disk.org/v1']),
    ]),
    rule: 'held-back',
  },
  {
    name: 'a version that was not requested',
    in: requirement('databases.sql.org/v1', [sql('v2.0.0', 'v2')]),
    options: {allowVersionMismatch: true},
    rule: 'accepted-mismatch',
  },
  {
    name: 'a yanked version that is locked',
    in: requirement('databases.sql.org/v1', [sql('v1.0.0', 'v1')], {
      ...excluded('yanked', 'it loses data'),
      preferences: [{identity: 'example/sql', tag: 'v1.0.0', because: 'locked'}],
    }),
    rule: 'yanked-version',
  },
  {
    name: 'a newer version that was yanked',
    in: requirement(
      'databases.sql.org/v1',
      [sql('v0.9.0', 'v1'), sql('v1.0.0', 'v1')],
      excluded('yanked', 'it loses data'),
    ),
    rule: 'yanked-version',
  },
  {
    name: 'a newer version that is private',
    in: requirement(
      'databases.sql.org/v1',
      [sql('v0.9.0', 'v1'), sql('v1.0.0', 'v1')],
      excluded('private', 'the registry refuses access to it'),
    ),
    rule: 'private-version',
  },
  {
    name: 'two publishers of one version',
    in: requirement('databases.sql.org/v1', [sql('v0.9.0', 'v1'), ...twins]),
    rule: 'version-twice',
  },
  {
    name: 'two repositories of an index that contradict each other',
    in: requirement('databases.sql.org/v1', [
      sql('v0.9.0', 'v1'),
      version('example/sql:v1.0.0', {owns: ['databases.sql.org/v1'], digest: 'sha256:aa'}),
      version('example/sql:v1.0.0', {owns: ['databases.sql.org/v2'], digest: 'sha256:aa'}),
    ]),
    rule: 'version-twice',
  },
  {
    name: 'two publishers of one version, of which one is locked',
    in: requirement('databases.sql.org/v1', twins, {
      preferences: [{identity: 'example/sql', tag: 'v1.0.0', digest: 'sha256:bb', because: 'locked'}],
    }),
    rule: 'version-twice',
  },
  {
    name: 'a newer version that cannot be read',
    in: requirement('databases.sql.org/v1', [sql('v1.0.0', 'v1')], {
      unreadable: [{...unreadable, identity: 'example/sql'}],
    }),
    rule: 'unreadable-package',
  },
]

const rulesOf = ({in: asked, options = {}}: Case) => {
  const result = solved(asked, options)
  return (result.kind === 'rejected' ? result.diagnostics : result.resolution.notes).map(({rule}) => rule)
}

describe('explanations', () => {
  it.each(CASES)('$name: is $rule', each => {
    expect(solved(each.in, each.options).kind).toBe('rejected')
    expect(rulesOf(each)).toContain(each.rule)
  })

  it.each(NOTES)('$name: $rule', each => {
    expect(solved(each.in, each.options).kind).toBe('resolved')
    expect(rulesOf(each)).toContain(each.rule)
  })

  it('have complete texts', () => {
    const refusals = CASES.map(
      ({name, in: asked, options = {}}) => `# ${name}\n${explained(solved(asked, options))}`,
    )
    const notes = NOTES.map(({name, in: asked, options = {}}) => {
      const result = solved(asked, options)
      const {notes: found} = result.kind === 'resolved' ? result.resolution : {notes: []}
      return `# ${name}\n${found.map(note => `Note: ${note.message} [${note.rule}]\n`).join('')}`
    })
    expectGolden('resolve-explanations.txt', [...refusals, ...notes].join('\n'))
  })
})
