import {describe, expect, it} from '@jest/globals'
import type {SolverInput} from '../../../src/resolve/solver-input.js'
import {selected, input, solved, version} from '../world.js'

const sql = (tag: string, served: string) => version(`sql:${tag}`, {owns: [`databases.sql.org/${served}`]})
const app = (...requires: string[]) => version('app:v1.0.0', {owns: ['apps.app.org'], requires})
const SQL = [sql('v1.0.0', 'v1alpha1'), sql('v2.0.0', 'v1alpha1,v1beta1'), sql('v3.0.0', 'v1beta1')]

interface Case {
  readonly name: string
  readonly reason: string
  readonly in: SolverInput
  readonly want: readonly string[] | string
}

const asks = (requirement: string, more: Partial<SolverInput> = {}, ...others: SolverInput['summaries']) =>
  input(['app'], [app(requirement), ...SQL, ...others], more)
const evil = version('evil/sql:v99.0.0', {owns: ['databases.sql.org/v1beta1,v9']})

const lockedAt = (reference: string) => {
  const [identity = '', tag = ''] = reference.split(':')
  return {identity, tag, because: 'locked'} as const
}
const YANKED: SolverInput['excluded'] = SQL.map(({identity, tag}) => ({
  identity,
  tag,
  kind: 'yanked',
  reason: 'it leaks',
}))
const MOVED = [
  version('app:v1.0.0', {requires: ['databases.sql.org', 'tables.old.org']}),
  version('old:v1.0.0', {owns: ['databases.sql.org', 'tables.old.org']}),
  version('old:v2.0.0', {owns: ['tables.old.org']}),
  version('new:v1.0.0', {owns: ['databases.sql.org']}),
]

describe('the owner of a required CRD', () => {
  it.each<Case>([
    {
      name: 'a squatter',
      reason: 'it is not selected for a newer version',
      in: asks('databases.sql.org/v9', {}, evil),
      want: 'ambiguous-owner',
    },
    {
      name: 'a squatter that is alone in serving it',
      reason: 'the version never narrows the candidates',
      in: asks('databases.sql.org/v9', {owners: [{group: 'sql.org', identity: 'sql'}]}, evil),
      want: 'unresolvable',
    },
    {
      name: 'an owner that the user assigns',
      reason: 'the assignment takes precedence',
      in: asks('databases.sql.org/v9', {owners: [{group: '*.org', identity: 'evil/sql'}]}, evil),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'the group itself',
      reason: 'it takes precedence over its parent domain',
      in: asks(
        'databases.sql.org',
        {
          owners: [
            {group: '*.org', identity: 'evil/sql'},
            {group: 'sql.org', identity: 'sql'},
          ],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'owners take precedence over a requested package',
      reason: 'two packages never own the same CRD',
      in: input(['app', 'sql'], [app('databases.sql.org'), ...SQL, evil], {
        owners: [{group: 'sql.org', identity: 'evil/sql'}],
      }),
      want: 'unresolvable',
    },
    {
      name: 'a requested package takes precedence over the dependent',
      reason: 'the user named it',
      in: input(
        ['app', 'sql'],
        [version('app:v2.0.0', {owns: ['databases.sql.org']}), app('databases.sql.org'), ...SQL],
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'the lock takes precedence over a requested package',
      reason: 'a request does not move a group',
      in: input(['app', 'evil/sql'], [app('databases.sql.org'), ...SQL, evil, version('evil/sql:v98.0.0')], {
        preferences: [lockedAt('sql:v2.0.0')],
      }),
      want: ['app:v1.0.0', 'evil/sql:v98.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'a pinned package is a candidate only in that version',
      reason: 'no other can be selected',
      in: input(['app', 'old:v2.0.0'], MOVED),
      want: ['app:v1.0.0', 'old:v2.0.0', 'new:v1.0.0'],
    },
    {
      name: 'a package of a range is a candidate only within it',
      reason: 'no other version can be selected',
      in: input(
        ['app', {requirement: {form: 'package', text: 'old', identity: 'old', range: '^2.0.0'}}],
        MOVED,
      ),
      want: ['app:v1.0.0', 'old:v2.0.0', 'new:v1.0.0'],
    },
    {
      name: 'a private version makes a candidate',
      reason: 'a missing login does not give the group to another package',
      in: asks(
        'databases.sql.org',
        {
          excluded: ['v1.0.0', 'v2.0.0', 'v3.0.0'].map(tag => ({
            identity: 'sql',
            tag,
            kind: 'private',
            reason: 'the registry denied access to it',
          })),
        },
        evil,
      ),
      want: 'ambiguous-owner',
    },
    {
      name: 'a version with two digests makes a candidate',
      reason: 'a second entry does not give the group to another package',
      in: input(
        ['app'],
        [
          app('databases.sql.org'),
          version('sql:v1.0.0', {owns: ['databases.sql.org/v1'], digest: 'sha256:aa'}),
          version('sql:v1.0.0', {owns: ['databases.sql.org/v1'], digest: 'sha256:bb'}),
          evil,
        ],
      ),
      want: 'ambiguous-owner',
    },
    {
      name: 'a vanished version makes no candidate',
      reason: 'nothing can select it, now or after a login',
      in: asks(
        'databases.sql.org',
        {
          excluded: [
            {
              identity: 'evil/sql',
              tag: 'v99.0.0',
              kind: 'vanished',
              reason: 'its registry has no tag v99.0.0',
            },
          ],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'the locked owner of a wildcard is the one that satisfied it',
      reason: 'several locked packages own CRDs of the group',
      in: input(
        ['x', 'y', 'app'],
        [
          version('app:v1.0.0', {requires: ['*.g.org']}),
          version('x:v1.0.0', {owns: ['xs.g.org']}),
          version('y:v1.0.0', {owns: ['ys.g.org']}),
        ],
        {
          preferences: [lockedAt('x:v1.0.0'), {...lockedAt('y:v1.0.0'), satisfies: ['*.g.org']}],
        },
      ),
      want: ['x:v1.0.0', 'y:v1.0.0', 'app:v1.0.0'],
    },
    {
      name: 'a package that the same file names',
      reason: 'it also owns its CRDs',
      in: input(['app'], [app('databases.sql.org/v1alpha1', 'sql'), ...SQL, evil]),
      want: ['app:v1.0.0', 'sql:v2.0.0'],
    },
    {
      name: 'owners take precedence over the installed package',
      reason: 'the user decides',
      in: asks(
        'databases.sql.org',
        {
          preferences: [{identity: 'sql', tag: 'v2.0.0', because: 'installed'}],
          owners: [{group: 'sql.org', identity: 'evil/sql'}],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'owners take precedence over the lock',
      reason: 'the user decides',
      in: asks(
        'databases.sql.org',
        {preferences: [lockedAt('sql:v2.0.0')], owners: [{group: 'sql.org', identity: 'evil/sql'}]},
        evil,
      ),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'a locked version that is to be upgraded',
      reason: 'the owner that the user assigns takes precedence',
      in: asks(
        'databases.sql.org',
        {
          preferences: [{...lockedAt('sql:v2.0.0'), isUpgraded: true}],
          owners: [{group: 'sql.org', identity: 'evil/sql'}],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'two locked packages, one of which owned the kind in another version',
      reason: 'a kind can move, and the lock records its owner',
      in: input(['app'], MOVED, {preferences: [lockedAt('old:v2.0.0'), lockedAt('new:v1.0.0')]}),
      want: ['app:v1.0.0', 'new:v1.0.0', 'old:v2.0.0'],
    },
    {
      name: 'a locked version that no longer exists',
      reason: 'its CRDs are unknown, but its package was trusted',
      in: asks('databases.sql.org', {preferences: [lockedAt('sql:v0.9.0')]}, evil),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a locked version that a moved pin rules out',
      reason: 'it owns nothing any more, and its package not the CRD',
      in: input(['app', 'old:v2.0.0'], MOVED, {preferences: [lockedAt('old:v1.0.0')]}),
      want: ['app:v1.0.0', 'old:v2.0.0', 'new:v1.0.0'],
    },
    {
      name: 'a locked version that a range rules out',
      reason: 'it owns nothing any more',
      in: input(
        ['app', {requirement: {form: 'package', text: 'old', identity: 'old', range: '^2.0.0'}}],
        MOVED,
        {preferences: [lockedAt('old:v1.0.0')]},
      ),
      want: ['app:v1.0.0', 'old:v2.0.0', 'new:v1.0.0'],
    },
    {
      name: 'a yanked owner that is upgraded, beside a squatter',
      reason: 'what nobody assigned stays with the former owner, which has nothing left',
      in: asks(
        'databases.sql.org',
        {preferences: [{...lockedAt('sql:v3.0.0'), isUpgraded: true}], excluded: YANKED},
        evil,
      ),
      want: 'unresolvable',
    },
    {
      name: 'a yanked owner that is upgraded, where the user trusts the other package',
      reason: 'the user decides',
      in: asks(
        'databases.sql.org',
        {
          preferences: [{...lockedAt('sql:v3.0.0'), isUpgraded: true}],
          excluded: YANKED,
          owners: [{group: 'sql.org', identity: 'evil/sql'}],
        },
        evil,
      ),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'a yanked owner that is upgraded, where the user requests the other package',
      reason: 'the user named it',
      in: input(['app', 'evil/sql'], [app('databases.sql.org'), ...SQL, evil], {
        preferences: [{...lockedAt('sql:v3.0.0'), isUpgraded: true}],
        excluded: YANKED,
      }),
      want: ['app:v1.0.0', 'evil/sql:v99.0.0'],
    },
    {
      name: 'a locked owner that no source has, beside a squatter that is requested',
      reason: 'the lock takes precedence over a requested package',
      in: input(['app', 'evil/sql'], [app('databases.sql.org'), evil], {
        preferences: [{...lockedAt('sql:v3.0.0'), satisfies: ['databases.sql.org']}],
      }),
      want: 'unresolvable',
    },
    {
      name: 'an installed owner that was yanked',
      reason: 'it stays as a locked one does',
      in: asks(
        'databases.sql.org',
        {preferences: [{identity: 'sql', tag: 'v3.0.0', because: 'installed'}], excluded: YANKED},
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a locked version without the kind',
      reason: 'the lock does not assign an owner to the kind',
      in: input(['app'], MOVED, {preferences: [lockedAt('old:v2.0.0')]}),
      want: 'ambiguous-owner',
    },
    {
      name: 'an index entry that contradicts the package',
      reason: 'it does not make a candidate',
      in: asks(
        'databases.sql.org',
        {excluded: [{identity: 'evil/sql', tag: 'v99.0.0', kind: 'lying', reason: 'it owns nothing'}]},
        evil,
      ),
      want: ['app:v1.0.0', 'sql:v3.0.0'],
    },
    {
      name: 'a CRD that moved from one package to another',
      reason: 'the user assigns the owner, and the other package is selected in a version without the CRD',
      in: input(
        ['old', 'app'],
        [
          app('databases.sql.org/v2'),
          version('old:v1.0.0', {owns: ['databases.sql.org/v1', 'tables.old.org']}),
          version('old:v2.0.0', {owns: ['tables.old.org']}),
          version('new:v1.0.0', {owns: ['databases.sql.org/v2']}),
        ],
        {owners: [{group: 'sql.org', identity: 'new'}]},
      ),
      want: ['old:v2.0.0', 'app:v1.0.0', 'new:v1.0.0'],
    },
    {
      name: 'a CRD that moved, where the old owner is not a root',
      reason: 'the user decides',
      in: input(
        ['app'],
        [
          version('app:v1.0.0', {requires: ['databases.sql.org/v2', 'tables.old.org']}),
          version('old:v1.0.0', {owns: ['databases.sql.org/v1', 'tables.old.org']}),
          version('old:v2.0.0', {owns: ['tables.old.org']}),
          version('new:v1.0.0', {owns: ['databases.sql.org/v2']}),
        ],
        {owners: [{group: 'sql.org', identity: 'new'}]},
      ),
      want: ['app:v1.0.0', 'new:v1.0.0', 'old:v2.0.0'],
    },
    {
      name: 'a CRD that moved to another group between versions',
      reason: 'each group has an owner of its own',
      in: input(
        ['app'],
        [
          app('databases.old.org/v1'),
          version('sql:v1.0.0', {owns: ['databases.old.org/v1']}),
          version('sql:v2.0.0', {owns: ['databases.new.org/v1']}),
        ],
      ),
      want: ['app:v1.0.0', 'sql:v1.0.0'],
    },
  ])('$name: $reason', ({in: asked, want}) => {
    expect(selected(solved(asked))).toEqual(want)
  })
})
